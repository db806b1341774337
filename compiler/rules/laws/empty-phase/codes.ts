import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const emptyPhase = defineDiagnostic<{ what: string; name: string; session: string }>({
  code: "empty-phase",
  severity: "error",
  say: ({ what, name, session }) => `no tool can run in the ${what} \`${name}\` of \`${session}\``,
  because: "A phase without a tool is surely a mistake.",
  help: () => "look at its `only`, `suppress` and `forbidden` lines, and at what the session itself permits",
});
