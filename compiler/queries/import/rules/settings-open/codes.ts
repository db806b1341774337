import { defineDiagnostic, visible } from "../../../../../lang/diagnostics/index.ts";

export const settingsOpen = defineDiagnostic<{ rule: string; why: string; instead: string }>({
  code: "settings-open",
  severity: "warning",
  say: ({ rule, why }) => `${visible(rule)}: ${visible(why)}`,
  because: "One setting can undo every rule beside it.",
  help: ({ instead }) => (instead === "" ? undefined : visible(instead)),
});
