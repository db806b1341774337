import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const emptyPhase = defineDiagnostic<{ what: string; name: string; session: string }>({
  code: "empty-phase",
  severity: "error",
  say: ({ what, name, session }) => `no tool can run in the ${what} \`${name}\` of \`${session}\``,
  because: "A task, phase or worker without a tool is surely a mistake.",
  help: () => "correct its `only`, `suppress` and `forbidden` rules, or the rules of the session",
});
