import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const ruleConflict = defineDiagnostic<{ tool: string; mode: string; other: string }>({
  code: "rule-conflict",
  severity: "error",
  say: ({ tool, mode, other }) =>
    `for \`${tool}\` this says \`${mode}\`, and an equally specific line says \`${other}\``,
  because:
    "Lines have no order: if two lines are equally specific and have the same conditions, neither displaces the other.",
  help: () => "keep one of them, or make one more specific",
});
