import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const ruleRedundant = defineDiagnostic<{ pattern: string; why: string }>({
  code: "rule-redundant",
  severity: "warning",
  say: ({ pattern, why }) => `\`${pattern}\` decides nothing today: ${why}`,
  because: "It still says what is meant for tools to come, so it may stay; whoever reads it should know.",
});
