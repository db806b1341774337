import { defineDiagnostic, escapeInvisible } from "../../../../../lang/diagnostics/index.ts";

export const settingsRuleDangerous = defineDiagnostic<{ rule: string; why: string; instead: string }>({
  code: "settings-rule-dangerous",
  severity: "warning",
  say: ({ rule, why }) => `${escapeInvisible(rule)}: ${escapeInvisible(why)}`,
  because: "Text of strangers can make a model run everything that this rule allows without a question.",
  help: ({ instead }) => (instead === "" ? undefined : escapeInvisible(instead)),
});
