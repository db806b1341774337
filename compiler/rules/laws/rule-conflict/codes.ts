import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const ruleConflict = defineDiagnostic<{ tool: string; mode: string; other: string }>({
  code: "rule-conflict",
  severity: "error",
  say: ({ tool, mode, other }) =>
    `for \`${tool}\` this rule decides \`${mode}\`, and an equally specific rule decides \`${other}\``,
  because:
    "Rules have no order: if two rules are equally specific and have the same conditions, neither displaces the other.",
  help: () => "keep one of the rules, or make one more specific",
});
