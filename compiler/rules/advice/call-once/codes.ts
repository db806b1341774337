import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const callOnce = defineDiagnostic<{ tool: string; place: string; result: string; why: string; fix: string }>({
  code: "call-once",
  severity: "warning",
  say: ({ tool, place, result, why }) =>
    `a conversation of \`${place}\` can call \`${tool}\` only once: its result is ${result}, ${why}`,
  because:
    "A conversation keeps the label of all that it has seen. Whoever allows a tool expects that it can be called again.",
  help: ({ fix }) => `give the service the label of what it returns, write \`returns LABEL\` for the method, or ${fix}`,
});
