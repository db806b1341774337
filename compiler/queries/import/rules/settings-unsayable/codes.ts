import { defineDiagnostic, escapeInvisible } from "../../../../../lang/diagnostics/index.ts";

export const settingsUnsayable = defineDiagnostic<{ rule: string; why: string; instead: string }>({
  code: "settings-unsayable",
  severity: "warning",
  say: ({ rule, why }) => `${escapeInvisible(rule)}: ${escapeInvisible(why)}`,
  because: "An import must list every part of the settings that the printed page does not contain.",
  help: ({ instead }) => (instead === "" ? undefined : escapeInvisible(instead)),
});
