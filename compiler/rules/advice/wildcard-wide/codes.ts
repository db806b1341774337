import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const wildcardWide = defineDiagnostic<{ mode: string }>({
  code: "wildcard-wide",
  severity: "warning",
  say: ({ mode }) => `\`${mode} *\` applies to every tool, also to tools that are added later`,
  because: "A service that is added next year gets this mode, and the person who adds it may not see this rule.",
  help: () => "name categories or interfaces: `auto readOnly`, `consent mutatingLocal`",
});
