import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const waiverUnused = defineDiagnostic<{ assertion: string; whom: string }>({
  code: "waiver-unused",
  severity: "warning",
  say: ({ assertion, whom }) => `\`waive ${assertion}\` is not needed: the assertion is proved ${whom} without it`,
  because: "A waiver that is left over hides the next change that the assertion would refute.",
  help: () => "delete the line; `capc prove` shows the proof then",
});
