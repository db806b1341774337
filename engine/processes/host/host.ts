// The host: submits the tasks of timers, gives open tasks to workers, and ends tasks whose deadline has passed. It holds
// no tool, no file and no model, and decides about no call.

import type { Result } from "../../lib/result/result.ts";
import { type TaskCause, type TaskFacts, TaskHost } from "../../lib/wire/generated/ledger.ts";
import type { Neighbour, World } from "./ports.ts";
import { submitDue, type Timer } from "./timers.ts";
import type { Worker } from "./worker.ts";

/** Milliseconds between two looks at the clock and at the open tasks. */
const BEAT_MS = 1000;
/** Maximum number of open tasks that one call returns. */
const MOST_AT_ONCE = 64;
/** Why a task that had begun is blocked when the host starts. Only a person decides whether it begins again. */
export const STOPPED = "the machine or the host stopped while the task ran";

interface HostParts {
  readonly ledger: Neighbour;
  readonly timers: readonly Timer[];
  /** Workers by the name of their ingress. */
  readonly workers: ReadonlyMap<string, Worker>;
  readonly world: World;
}

export class Host {
  readonly #parts: HostParts;
  /** Ids of tasks that a worker runs now, by the name of their ingress. */
  readonly #running = new Map<string, bigint>();
  #isSettled = false;
  #isStopped = false;
  /** Last complaint of each source, so that a repeated one is written once. */
  readonly #told = new Map<string, string>();

  constructor(parts: HostParts) {
    this.#parts = parts;
  }

  /** Works until `stop` is called. */
  async run(): Promise<void> {
    while (!this.#isStopped) {
      await this.beat();
      await this.#parts.world.wait(BEAT_MS);
    }
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Looks at the clock and at the open tasks once. */
  async beat(): Promise<void> {
    const { ledger, timers } = this.#parts;
    const expired = await ledger.call(TaskHost.methods.expire, {});
    if (!expired.ok) return this.#tell("ledger", expired.reason);
    this.#tell("ledger", "");
    if (!this.#isSettled && !(await this.#settle())) return;
    for (const timer of timers) {
      const submitted = await submitDue(ledger, timer, expired.value.at);
      this.#tell(`ingress ${timer.name}`, submitted.ok ? "" : submitted.reason);
    }
    await this.#giveOut();
  }

  /** Blocks tasks that had begun in an earlier run of the machine. Returns false if the ledger does not answer. */
  async #settle(): Promise<boolean> {
    for await (const task of this.#listOpen()) {
      if (task === undefined) return false;
      if (task.status === "open" && task.objective !== "" && !(await this.#change(task.id, "block", STOPPED)))
        return false;
    }
    this.#isSettled = true;
    return true;
  }

  /** Gives each idle worker the oldest open task of its ingress, and interrupts workers whose task has ended meanwhile. */
  async #giveOut(): Promise<void> {
    const { workers } = this.#parts;
    const live = new Set<bigint>();
    for await (const task of this.#listOpen()) {
      if (task === undefined) return;
      live.add(task.id);
      const { ingress } = task.submission;
      const worker = workers.get(ingress);
      if (worker === undefined || task.status !== "open" || this.#running.has(ingress)) continue;
      this.#running.set(ingress, task.id);
      void this.#work(worker, task).finally(() => this.#running.delete(ingress));
    }
    for (const [ingress, task] of this.#running) if (!live.has(task)) workers.get(ingress)?.interrupt();
  }

  async #work(worker: Worker, { id }: TaskFacts): Promise<void> {
    const { ledger } = this.#parts;
    const assigned = await ledger.call(TaskHost.methods.assign, { worker: worker.gate, task: id });
    if (!assigned.ok) return this.#tell(worker.gate, assigned.reason);
    const ended: Result<"failed" | "reviewing"> = await worker.run();
    await ledger.call(TaskHost.methods.withdraw, { worker: worker.gate });
    // The page declares no verification, so a task is done when its worker has ended it.
    if (!ended.ok) await this.#change(id, "block", ended.reason);
    else if (ended.value === "reviewing") await this.#change(id, "accept", "");
  }

  async #change(task: bigint, cause: TaskCause, reason: string): Promise<boolean> {
    const changed = await this.#parts.ledger.call(TaskHost.methods.change, { task, cause, reason });
    // A task that a person cancelled meanwhile refuses the change, which is then not needed.
    if (!changed.ok && changed.code !== "failed") this.#tell("ledger", changed.reason);
    return changed.ok || changed.code === "failed";
  }

  /** Returns the tasks that have not ended, by their ids, and `undefined` as the last element if the ledger does not answer. */
  async *#listOpen(): AsyncGenerator<TaskFacts | undefined> {
    for (let after = 0n; ; ) {
      const open = await this.#parts.ledger.call(TaskHost.methods.open, { after, most: MOST_AT_ONCE });
      if (!open.ok) return yield undefined;
      yield* open.value.tasks;
      const last = open.value.tasks.at(-1);
      if (last === undefined) return;
      after = last.id;
    }
  }

  /** Writes a complaint to the log if it differs from the last one of its source; an empty one forgets the last. */
  #tell(source: string, complaint: string): void {
    if (complaint !== "" && this.#told.get(source) !== complaint) this.#parts.world.log(`${source}: ${complaint}`);
    this.#told.set(source, complaint);
  }
}
