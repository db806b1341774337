import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const callOnce = defineDiagnostic<{ tool: string; place: string; result: string; why: string; fix: string }>({
  code: "call-once",
  severity: "warning",
  say: ({ tool, place, result, why }) =>
    `a conversation of \`${place}\` can call \`${tool}\` only once: its result is ${result}, ${why}`,
  because:
    "A conversation keeps the label of everything that it has read. The author of a rule expects that an allowed tool can be called again.",
  help: ({ fix }) => `correct the label of the service, write \`returns LABEL\` for the method, or ${fix}`,
});
