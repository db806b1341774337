import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const importUnused = defineDiagnostic<{ what: string; why: string }>({
  code: "import-unused",
  severity: "warning",
  say: ({ what, why }) => `\`use ${what}\` has no effect on this page: ${why}`,
  because: "A reviewer must read every file that a page uses.",
  help: () => "delete this `use` line",
});
