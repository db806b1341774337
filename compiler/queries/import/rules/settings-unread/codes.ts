import { defineDiagnostic, escapeInvisible } from "../../../../../lang/diagnostics/index.ts";

export const settingsUnread = defineDiagnostic<{ rule: string; why: string; instead: string }>({
  code: "settings-unread",
  severity: "warning",
  say: ({ rule, why }) => `${escapeInvisible(rule)}: ${escapeInvisible(why)}`,
  because:
    "The program that reads the settings ignores this one, so the setting protects nothing although its author relies on it.",
  help: ({ instead }) => (instead === "" ? undefined : escapeInvisible(instead)),
});
