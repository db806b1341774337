// The task on which each worker works. The host assigns tasks, and each worker's gate then reaches only its own task.

import { accept, type Result, refuse } from "../../lib/result/result.ts";
import { nameSeat } from "../../lib/roles/names.ts";
import { type Decision, requireTask } from "./deciding.ts";
import type { Task } from "./rows.ts";

/** Name of the gate of the worker that runs the tasks of an ingress. */
function nameWorker({ session, ingress }: Pick<Task, "ingress" | "session">): string {
  return `gate.${nameSeat(session, ingress)}`;
}

/**
 * Assignments of one run of the ledger. They are not stored: when the ledger dies, no worker reaches a task until the
 * host assigns one again.
 */
export class Assignments {
  readonly #tasks = new Map<string, bigint>();

  /** Returns the task of a worker. Fails if the worker has none. */
  find(worker: string): Result<bigint> {
    const task = this.#tasks.get(worker);
    return task === undefined ? refuse("the worker has no task") : accept(task);
  }

  /** Assigns an open task to the worker of its ingress, in place of the worker's last task. */
  assign(worker: string, id: bigint): Decision<Task> {
    return (deciding) => {
      const task = requireTask(deciding, id);
      if (!task.ok) return task;
      if (worker !== nameWorker(task.value)) return refuse("the task is not one of this worker's ingress");
      if (task.value.status !== "open") return refuse(`the task is ${task.value.status}`);
      this.#tasks.set(worker, id);
      return task;
    };
  }

  /** Takes the task from a worker, so that the worker's gate reaches no task. */
  withdraw(worker: string): void {
    this.#tasks.delete(worker);
  }
}
