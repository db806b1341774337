import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const looserThanParentCategory = defineDiagnostic<{
  category: string;
  parent: string;
  line: string;
  widens: boolean;
}>({
  code: "looser-than-parent-category",
  severity: "error",
  say: ({ category, parent, line }) =>
    `for the category \`${category}\` this rule is looser than \`${line}\`, although \`${category}\` belongs to \`${parent}\``,
  because:
    "Your own category must be at least as strict as its parent. Otherwise it could bypass the rules about the parent.",
  help: ({ widens }) =>
    widens ? 'make the rule as strict, or write it in `widen { … } because "…"`' : "make the rule as strict",
});
