import { defineDiagnostic, escapeInvisible } from "../../../../../lang/diagnostics/index.ts";

export const settingsDenyPassable = defineDiagnostic<{ rule: string; why: string; instead: string }>({
  code: "settings-deny-passable",
  severity: "warning",
  say: ({ rule, why }) => `${escapeInvisible(rule)}: ${escapeInvisible(why)}`,
  because: "The rule covers only one prefix or one tool. Another command or tool can do what the rule forbids.",
  help: ({ instead }) => (instead === "" ? undefined : escapeInvisible(instead)),
});
