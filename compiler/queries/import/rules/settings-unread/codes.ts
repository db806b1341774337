import { defineDiagnostic, escapeInvisible } from "../../../../../lang/diagnostics/index.ts";

export const settingsUnread = defineDiagnostic<{ rule: string; why: string; instead: string }>({
  code: "settings-unread",
  severity: "warning",
  say: ({ rule, why }) => `${escapeInvisible(rule)}: ${escapeInvisible(why)}`,
  because: "A setting that nothing reads protects nothing, and its author believes that it does.",
  help: ({ instead }) => (instead === "" ? undefined : escapeInvisible(instead)),
});
