import { defineDiagnostic, escapeInvisible } from "../../../../../lang/diagnostics/index.ts";

export const settingsDenyPassable = defineDiagnostic<{ rule: string; why: string; instead: string }>({
  code: "settings-deny-passable",
  severity: "warning",
  say: ({ rule, why }) => `${escapeInvisible(rule)}: ${escapeInvisible(why)}`,
  because: "A prefix of a command, or one tool for reading, is one way of many: the same is done by another one.",
  help: ({ instead }) => (instead === "" ? undefined : escapeInvisible(instead)),
});
