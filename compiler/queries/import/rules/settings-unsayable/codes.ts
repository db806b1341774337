import { defineDiagnostic, escapeInvisible } from "../../../../../lang/diagnostics/index.ts";

export const settingsUnsayable = defineDiagnostic<{ rule: string; why: string; instead: string }>({
  code: "settings-unsayable",
  severity: "warning",
  say: ({ rule, why }) => `${escapeInvisible(rule)}: ${escapeInvisible(why)}`,
  because: "What a page does not say is not there: whoever imports has to know what is left out.",
  help: ({ instead }) => (instead === "" ? undefined : escapeInvisible(instead)),
});
