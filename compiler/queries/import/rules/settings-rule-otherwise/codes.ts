import { defineDiagnostic, escapeInvisible } from "../../../../../lang/diagnostics/index.ts";

export const settingsRuleOtherwise = defineDiagnostic<{ rule: string; why: string; instead: string }>({
  code: "settings-rule-otherwise",
  severity: "warning",
  say: ({ rule, why }) => `${escapeInvisible(rule)}: ${escapeInvisible(why)}`,
  because: "The rule does not mean what it seems to mean, so it does not prevent what its author wanted to prevent.",
  help: ({ instead }) => (instead === "" ? undefined : escapeInvisible(instead)),
});
