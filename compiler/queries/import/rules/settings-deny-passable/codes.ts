import { defineDiagnostic, escapeInvisible } from "../../../../../lang/diagnostics/index.ts";

export const settingsDenyPassable = defineDiagnostic<{ rule: string; why: string; instead: string }>({
  code: "settings-deny-passable",
  severity: "warning",
  say: ({ rule, why }) => `${escapeInvisible(rule)}: ${escapeInvisible(why)}`,
  because:
    "A prefix of a command, or a tool for reading, is one way of many: what is denied by it is done by another one.",
  help: ({ instead }) => (instead === "" ? undefined : escapeInvisible(instead)),
});
