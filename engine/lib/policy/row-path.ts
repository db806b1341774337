import type { Row } from "../wire/generated/policy.ts";

/** Returns the name of a row as a page writes it: `operator`, `operator.triage.look`. */
export function formatRowPath({
  session,
  task,
  phase,
  worker,
}: Pick<Row, "session" | "task" | "phase" | "worker">): string {
  return [session, task, phase, worker].filter((part) => part !== "").join(".");
}
