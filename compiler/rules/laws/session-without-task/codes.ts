import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const sessionWithoutTask = defineDiagnostic<{ session: string }>({
  code: "session-without-task",
  severity: "error",
  say: ({ session }) => `no call can run in the session \`${session}\`: it requires a task and has none`,
  because: "A session with `requires task` refuses every message and every call outside of its tasks.",
  help: ({ session }) => `write \`task NAME in ${session} { … }\`, or leave \`requires task\` out`,
});
