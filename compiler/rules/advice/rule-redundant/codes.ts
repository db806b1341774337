import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const ruleRedundant = defineDiagnostic<{ pattern: string; why: string }>({
  code: "rule-redundant",
  severity: "warning",
  say: ({ pattern, why }) => `\`${pattern}\` decides nothing today: ${why}`,
  because: "It may stay, because it still applies to future tools; a reader should know.",
});
