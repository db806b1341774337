import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const hintStricter = defineDiagnostic<{ tool: string; category: string; claim: string }>({
  code: "hint-stricter",
  severity: "warning",
  say: ({ tool, category, claim }) =>
    `the page classifies \`${tool}\` as ${category}, but its server declares it as ${claim}`,
  because: "A server has no reason to describe its own tool as more dangerous than it is.",
  help: () => "check what the tool does; then give the tool a stricter category, or silence this advice with a reason",
});
