import { defineDiagnostic, visible } from "../../../../../lang/diagnostics/index.ts";

export const settingsRuleOtherwise = defineDiagnostic<{ rule: string; why: string; instead: string }>({
  code: "settings-rule-otherwise",
  severity: "warning",
  say: ({ rule, why }) => `${visible(rule)}: ${visible(why)}`,
  because: "A rule that is about something else than it looks leaves open what it was written to close.",
  help: ({ instead }) => (instead === "" ? undefined : visible(instead)),
});
