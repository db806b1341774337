import { defineDiagnostic, escapeInvisible } from "../../../../../lang/diagnostics/index.ts";

export const settingsRuleOtherwise = defineDiagnostic<{ rule: string; why: string; instead: string }>({
  code: "settings-rule-otherwise",
  severity: "warning",
  say: ({ rule, why }) => `${escapeInvisible(rule)}: ${escapeInvisible(why)}`,
  because: "A rule that is about something else than it looks leaves open what it was written to close.",
  help: ({ instead }) => (instead === "" ? undefined : escapeInvisible(instead)),
});
