import { defineDiagnostic, escapeInvisible } from "../../../../../lang/diagnostics/index.ts";

export const settingsRuleOtherwise = defineDiagnostic<{ rule: string; why: string; instead: string }>({
  code: "settings-rule-otherwise",
  severity: "warning",
  say: ({ rule, why }) => `${escapeInvisible(rule)}: ${escapeInvisible(why)}`,
  because: "A rule with another meaning than its look leaves open what it was written to close.",
  help: ({ instead }) => (instead === "" ? undefined : escapeInvisible(instead)),
});
