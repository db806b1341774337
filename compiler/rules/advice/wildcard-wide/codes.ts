import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const wildcardWide = defineDiagnostic<{ mode: string }>({
  code: "wildcard-wide",
  severity: "warning",
  say: ({ mode }) => `\`${mode} *\` holds for every tool, and for those that come later`,
  because: "A service that is added next year gets this answer, and nobody who adds it sees the line.",
  help: () => "name categories or interfaces: `auto readOnly`, `consent mutatingLocal`",
});
