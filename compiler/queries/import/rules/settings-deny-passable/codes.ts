import { defineDiagnostic, escapeInvisible } from "../../../../../lang/diagnostics/index.ts";

export const settingsDenyPassable = defineDiagnostic<{ rule: string; why: string; instead: string }>({
  code: "settings-deny-passable",
  severity: "warning",
  say: ({ rule, why }) => `${escapeInvisible(rule)}: ${escapeInvisible(why)}`,
  because:
    "The rule covers only commands that begin with certain words, or only one tool. Another command or tool can do what the rule forbids.",
  help: ({ instead }) => (instead === "" ? undefined : escapeInvisible(instead)),
});
