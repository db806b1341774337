// Rows in SQLite, with a cache of the tasks that are worked on. Each decision about a step needs the task, the number
// of the task's last step and the task's unsettled steps. Without the cache, reading these rows took half of the time
// of a decision. Only this process writes the file.

import type { Step, Task } from "./rows.ts";
import { SqliteRows } from "./sqlite-rows.ts";

/** Maximum number of tasks in the cache; beyond it, the task that was used longest ago is dropped. */
const MOST_TASKS = 1024;
/** Maximum number of sessions whose next sequence number is cached. */
const MOST_SESSIONS = 1024;

interface Entry {
  task: Task;
  lastStep: bigint;
  /** Steps that are `started` or `unknown`, in the order of their numbers. */
  readonly unsettled: Map<bigint, Step>;
}

export class CachingRows extends SqliteRows {
  readonly #entries = new Map<bigint, Entry>();
  /** The next sequence number of each session. */
  readonly #sequences = new Map<string, bigint>();

  /** Empties the cache after a transaction that was rolled back. */
  forget(): void {
    this.#entries.clear();
    this.#sequences.clear();
  }

  override findTask(id: bigint): Task | undefined {
    return this.#find(id)?.task;
  }

  override putTask(task: Task): void {
    super.putTask(task);
    const entry = this.#entries.get(task.id);
    if (entry !== undefined) entry.task = task;
  }

  override removeTask(task: Task): void {
    super.removeTask(task);
    this.#entries.delete(task.id);
  }

  override findStep(task: bigint, number: bigint): Step | undefined {
    return this.#entries.get(task)?.unsettled.get(number) ?? super.findStep(task, number);
  }

  override findLastStepNumber(task: bigint): bigint {
    return this.#entries.get(task)?.lastStep ?? super.findLastStepNumber(task);
  }

  override listUnsettledSteps(task: bigint): readonly Step[] {
    const entry = this.#entries.get(task);
    return entry === undefined ? super.listUnsettledSteps(task) : [...entry.unsettled.values()];
  }

  override addStep(step: Step): void {
    super.addStep(step);
    this.#note(step);
  }

  override endStep(step: Step): void {
    super.endStep(step);
    this.#note(step);
  }

  protected override takeSequence(session: string): bigint {
    const sequence = this.#sequences.get(session) ?? super.takeSequence(session);
    if (this.#sequences.size >= MOST_SESSIONS) this.#sequences.clear();
    this.#sequences.set(session, sequence + 1n);
    return sequence;
  }

  #find(id: bigint): Entry | undefined {
    const known = this.#entries.get(id);
    if (known !== undefined) {
      this.#entries.delete(id);
      this.#entries.set(id, known);
      return known;
    }
    const task = super.findTask(id);
    if (task === undefined) return undefined;
    const unsettled = new Map(super.listUnsettledSteps(id).map((step) => [step.number, step]));
    const entry = { task, lastStep: super.findLastStepNumber(id), unsettled };
    const [oldest] = this.#entries.keys();
    if (this.#entries.size >= MOST_TASKS && oldest !== undefined) this.#entries.delete(oldest);
    this.#entries.set(id, entry);
    return entry;
  }

  #note(step: Step): void {
    const entry = this.#entries.get(step.task);
    if (entry === undefined) return;
    if (step.number > entry.lastStep) entry.lastStep = step.number;
    if (step.state === "started" || step.state === "unknown") entry.unsettled.set(step.number, step);
    else entry.unsettled.delete(step.number);
  }
}
