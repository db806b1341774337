import { defineDiagnostic, escapeInvisible } from "../../../../../lang/diagnostics/index.ts";

export const settingsRuleDangerous = defineDiagnostic<{ rule: string; why: string; instead: string }>({
  code: "settings-rule-dangerous",
  severity: "warning",
  say: ({ rule, why }) => `${escapeInvisible(rule)}: ${escapeInvisible(why)}`,
  because: "What a rule lets run unasked, whatever a model was told by strangers can make run.",
  help: ({ instead }) => (instead === "" ? undefined : escapeInvisible(instead)),
});
