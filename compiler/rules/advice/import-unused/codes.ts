import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const importUnused = defineDiagnostic<{ what: string; why: string }>({
  code: "import-unused",
  severity: "warning",
  say: ({ what, why }) => `\`use ${what}\` brings nothing to this page: ${why}`,
  because: "Whoever reviews the page looks into what it uses.",
  help: () => "leave it out",
});
