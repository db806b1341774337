import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const misplacedInherit = defineDiagnostic<{ session: string; base: string | undefined }>({
  code: "misplaced-inherit",
  severity: "error",
  say: ({ session, base }) =>
    base === undefined
      ? `\`inherit\` has nothing to inherit in \`${session}\`, which extends no session`
      : `\`inherit\` has nothing to inherit in \`${session}\`: its own lines replace those that it has \`from ${base}\``,
  because:
    "`inherit` keeps the modes of what is around a line: of a session for its tasks, of a base for what extends it.",
  help: ({ session, base }) =>
    base === undefined
      ? "write a mode, or move the line to a task of the session"
      : `write a mode, or build the session with \`session ${session} extends ${base}\``,
});
