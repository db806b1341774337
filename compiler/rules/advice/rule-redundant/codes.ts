import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const ruleRedundant = defineDiagnostic<{ pattern: string; why: string }>({
  code: "rule-redundant",
  severity: "warning",
  say: ({ pattern, why }) => `\`${pattern}\` decides nothing today: ${why}`,
  because: "You can keep the rule, because it would apply to future tools, but it has no effect now.",
});
