import { defineDiagnostic, escapeInvisible } from "../../../../../lang/diagnostics/index.ts";

export const settingsRuleDangerous = defineDiagnostic<{ rule: string; why: string; instead: string }>({
  code: "settings-rule-dangerous",
  severity: "warning",
  say: ({ rule, why }) => `${escapeInvisible(rule)}: ${escapeInvisible(why)}`,
  because: "The rule allows calls without approval, and text of strangers can make the model start such calls.",
  help: ({ instead }) => (instead === "" ? undefined : escapeInvisible(instead)),
});
