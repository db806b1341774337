import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const adminOutsideOperator = defineDiagnostic<{ tool: string; kind: string; widens: boolean }>({
  code: "admin-outside-operator",
  severity: "error",
  say: ({ tool, kind }) => `\`${tool}\` is \`admin\`, which a session of kind \`${kind}\` may not use`,
  because: "Only operators may change permissions on the machine, because they are responsible for it.",
  help: ({ widens }) =>
    widens ? 'leave the line out, or write it in `widen { … } because "…"`' : "leave the line out",
});
