import { defineDiagnostic, escapeInvisible } from "../../../../../lang/diagnostics/index.ts";

export const settingsOpen = defineDiagnostic<{ rule: string; why: string; instead: string }>({
  code: "settings-open",
  severity: "warning",
  say: ({ rule, why }) => `${escapeInvisible(rule)}: ${escapeInvisible(why)}`,
  because: "This setting alone can cancel every other rule of the file.",
  help: ({ instead }) => (instead === "" ? undefined : escapeInvisible(instead)),
});
