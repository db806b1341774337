import { defineDiagnostic, escapeInvisible } from "../../../../../lang/diagnostics/index.ts";

export const settingsRuleInert = defineDiagnostic<{ rule: string; why: string; instead: string }>({
  code: "settings-rule-inert",
  severity: "warning",
  say: ({ rule, why }) => `${escapeInvisible(rule)}: ${escapeInvisible(why)}`,
  because: "A rule that is never applied looks like protection or a permission, and is neither.",
  help: ({ instead }) => (instead === "" ? undefined : escapeInvisible(instead)),
});
