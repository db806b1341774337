import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const adminOutsideOperator = defineDiagnostic<{ tool: string; kind: string; widens: boolean }>({
  code: "admin-outside-operator",
  severity: "error",
  say: ({ tool, kind }) => `\`${tool}\` is \`admin\`, which a session of kind \`${kind}\` may not use`,
  because: "Only the operators, who are responsible for the machine, may change permissions on it.",
  help: ({ widens }) =>
    widens ? 'leave the line out, or write it in `widen { … } because "…"`' : "leave the line out",
});
