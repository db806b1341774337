import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const ruleShadowed = defineDiagnostic<{ pattern: string; why: string }>({
  code: "rule-shadowed",
  severity: "error",
  say: ({ pattern, why }) => `\`${pattern}\` decides nothing: ${why}`,
  because: "A rule that decides nothing misleads the reader of the page.",
  help: () => "delete this rule, or change the rule that displaces it",
});
