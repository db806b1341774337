import { defineDiagnostic, escapeInvisible } from "../../../../../lang/diagnostics/index.ts";

export const settingsOpen = defineDiagnostic<{ rule: string; why: string; instead: string }>({
  code: "settings-open",
  severity: "warning",
  say: ({ rule, why }) => `${escapeInvisible(rule)}: ${escapeInvisible(why)}`,
  because: "One setting can undo every rule beside it.",
  help: ({ instead }) => (instead === "" ? undefined : escapeInvisible(instead)),
});
