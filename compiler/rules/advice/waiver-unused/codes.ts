import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const waiverUnused = defineDiagnostic<{ assertion: string; whom: string }>({
  code: "waiver-unused",
  severity: "warning",
  say: ({ assertion, whom }) => `\`waive ${assertion}\` is not needed: the assertion is proved ${whom} without it`,
  because: "An unneeded waiver hides a later change of the page that breaks the assertion.",
  help: () => "delete the waiver; `capc prove` then shows the proof",
});
