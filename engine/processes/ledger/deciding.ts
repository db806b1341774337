// The parts that all decisions share. A decision reads rows, refuses or accepts, and only then writes, so a refused decision has changed
// nothing.

import { type Result, refuse } from "../../lib/result/result.ts";
import { MOST_BODY } from "./limits.ts";
import type { EventKind, Task } from "./rows.ts";
import type { Rows } from "./storage.ts";

/**
 * Data with which a decision works: the stored rows as its transaction sees them, the time and the number of the run.
 */
export interface Deciding {
  readonly rows: Rows;
  /** Time of the transaction, by the ledger's clock. */
  readonly at: bigint;
  /** Number of this run of the ledger. */
  readonly run: bigint;
}

/**
 * A function that reads and changes rows in one transaction, or refuses to, such as the one that `submitTask` returns.
 */
export type Decision<T> = (deciding: Deciding) => Result<T>;

/** Returns the task, or a refusal. */
export function requireTask({ rows }: Deciding, id: bigint): Result<Task> {
  const task = rows.findTask(id);
  return task === undefined ? refuse("there is no such task") : { ok: true, value: task };
}

/** Appends an event of a task. `body` consists of words of this program and of bounded names; if it is too long, it is cut. */
export function tell({ rows, at }: Deciding, task: Task, kind: EventKind, body: string): void {
  rows.addEvent({ at, session: task.session, task: task.id, kind, label: task.label, body: body.slice(0, MOST_BODY) });
}
