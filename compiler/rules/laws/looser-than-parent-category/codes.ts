import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const looserThanParentCategory = defineDiagnostic<{
  category: string;
  parent: string;
  line: string;
  widens: boolean;
}>({
  code: "looser-than-parent-category",
  severity: "error",
  say: ({ category, parent, line }) => `\`${category}\` is a kind of \`${parent}\`, for which \`${line}\` is stricter`,
  because:
    "A category of your own is at least as strict as the one that it belongs to, or it would be a way around it.",
  help: ({ widens }) =>
    widens ? 'make the line as strict, or write it in `widen { … } because "…"`' : "make the line as strict",
});
