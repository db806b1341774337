// Decisions about the runs of schedules. The time up to which a schedule is handled is stored in the transaction that submits its tasks, so
// no run is submitted twice, and none is lost.

import { accept, refuse } from "../../lib/result/result.ts";
import { findExcess } from "./bounds.ts";
import type { Decision } from "./deciding.ts";
import { MAX_NAME_BYTES, MOST_AT_ONCE, MOST_OPEN_TASKS } from "./limits.ts";
import type { Task } from "./rows.ts";
import { type Submission, submitTask } from "./tasks.ts";

/**
 * Returns the time up to which the runs of the schedule are submitted or skipped. For a new schedule this is the
 * present time, so that it has no missed runs.
 */
export function beginSchedule(name: string): Decision<bigint> {
  return ({ rows, at }) => {
    const excess = findExcess({ name: [name, MAX_NAME_BYTES] });
    if (excess !== undefined) return excess;
    const through = rows.findSchedule(name);
    if (through !== undefined) return accept(through);
    rows.putSchedule(name, at);
    return accept(at);
  };
}

interface DueRuns {
  readonly name: string;
  /** The stored time from which the caller computed the runs. */
  readonly from: bigint;
  /** Time up to which the runs of the schedule are submitted or skipped after this decision. */
  readonly through: bigint;
  /** The task of a run, submitted once for each of `count` runs. */
  readonly submission: Submission;
  readonly count: number;
}

/** Submits the tasks of runs that are due. Refuses if another caller handled the schedule since `from` was read. */
export function submitRuns({
  name,
  from,
  through,
  submission,
  count,
}: DueRuns): Decision<readonly Pick<Task, "id" | "number">[]> {
  return (deciding) => {
    const { rows, at } = deciding;
    const stored = rows.findSchedule(name);
    if (stored === undefined) return refuse("there is no such schedule");
    if (stored !== from) return refuse(`the schedule is handled up to ${stored}, not ${from}`);
    if (through < from || through > at) return refuse("the runs are not due");
    if (!Number.isInteger(count) || count < 0 || count > MOST_AT_ONCE)
      return refuse(`${MOST_AT_ONCE} runs at a time are the maximum`);
    // The session's limit is checked for all runs together, so that either all are submitted or the schedule stays unchanged.
    if (rows.countOpenTasks(submission.session) + count > MOST_OPEN_TASKS)
      return refuse(`the session would have more than ${MOST_OPEN_TASKS} tasks that have not ended`);
    const submitted: Pick<Task, "id" | "number">[] = [];
    for (let run = 0; run < count; run += 1) {
      const task = submitTask(submission)(deciding);
      // All runs have the same submission, so a refusal can occur only at the first run, before anything is written.
      if (!task.ok) return task;
      submitted.push(task.value);
    }
    rows.putSchedule(name, through);
    return accept(submitted);
  };
}
