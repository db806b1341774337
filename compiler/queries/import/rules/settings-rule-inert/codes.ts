import { defineDiagnostic, escapeInvisible } from "../../../../../lang/diagnostics/index.ts";

export const settingsRuleInert = defineDiagnostic<{ rule: string; why: string; instead: string }>({
  code: "settings-rule-inert",
  severity: "warning",
  say: ({ rule, why }) => `${escapeInvisible(rule)}: ${escapeInvisible(why)}`,
  because: "A rule that never applies looks like a protection or a permission, and has no effect.",
  help: ({ instead }) => (instead === "" ? undefined : escapeInvisible(instead)),
});
