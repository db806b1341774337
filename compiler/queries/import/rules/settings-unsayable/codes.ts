import { defineDiagnostic, visible } from "../../../../../lang/diagnostics/index.ts";

export const settingsUnsayable = defineDiagnostic<{ rule: string; why: string; instead: string }>({
  code: "settings-unsayable",
  severity: "warning",
  say: ({ rule, why }) => `${visible(rule)}: ${visible(why)}`,
  because: "What a page does not say is not there: whoever imports has to know what is left out.",
  help: ({ instead }) => (instead === "" ? undefined : visible(instead)),
});
