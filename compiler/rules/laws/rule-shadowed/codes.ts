import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const ruleShadowed = defineDiagnostic<{ pattern: string; why: string; exception: string }>({
  code: "rule-shadowed",
  severity: "error",
  say: ({ pattern, why }) => `\`${pattern}\` decides nothing: ${why}`,
  because: "A rule that decides nothing misleads the reader of the page.",
  help: ({ exception }) =>
    exception === ""
      ? "delete this rule, or change the rule that displaces it"
      : `in place of the more specific rule, repeat this pattern and its condition: \`${exception}\`; otherwise delete this rule`,
});
