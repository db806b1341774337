import type { Row } from "../wire/generated/policy.ts";

/** What a row is about, as a page names it: `operator`, `operator.triage.look`. */
export function formatRowPath({
  session,
  task,
  phase,
  worker,
}: Pick<Row, "session" | "task" | "phase" | "worker">): string {
  return [session, task, phase, worker].filter((part) => part !== "").join(".");
}
