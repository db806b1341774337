import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const importUnused = defineDiagnostic<{ what: string; why: string }>({
  code: "import-unused",
  severity: "warning",
  say: ({ what, why }) => `\`use ${what}\` brings nothing to this page: ${why}`,
  because: "A reviewer of the page reads everything that it uses.",
  help: () => "leave it out",
});
