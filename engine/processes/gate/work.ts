// The work of a gate that has no person: it runs the tasks of one ingress, one after the other. The ledger says which
// task this is; the host says only when to begin and that the loop has ended its turn.

import { hash } from "node:crypto";
import { formatLabel } from "../../lib/policy/index.ts";
import { accept, type Result, refuse } from "../../lib/result/result.ts";
import type { Capset } from "../../lib/wire/capset.ts";
import { TaskRecord, type TaskStatus, Worker } from "../../lib/wire/generated/ledger.ts";
import type { MethodLayout } from "../../lib/wire/index.ts";
import { implement, makeFailure } from "../../lib/wire/index.ts";
import { countWholeBytes } from "../../lib/wire/utf8.ts";
import type { Archive } from "./archive.ts";
import type { Gate } from "./gate.ts";
import { askNeighbour, type Neighbour, type Person } from "./ports.ts";

/** Maximum bytes of what a loop wrote in one turn that the ledger stores; the rest is left out. */
export const MAX_SAID_BYTES = 64 * 1024;
/** Maximum bytes of the reason why a turn did not end by itself. */
const MAX_FAULT_BYTES = 1024;

interface WorkParts {
  readonly gate: Gate;
  readonly archive: Archive;
  /** The ledger's record of the worker's task. */
  readonly record: Neighbour;
  /** Message of the ingress, as the page states it after `says`. */
  readonly message: string;
}

/** The person of a gate without one: every question stays without an answer, and nothing is drawn. */
export function createAbsentPerson(surface: string): Person {
  return {
    surface,
    ask: async () => undefined,
    announce: () => {},
    drawn: async () => {},
    lock: async () => {},
    interrupted: async () => false,
  };
}

export class Work {
  readonly #parts: WorkParts;
  #isUnderWay = false;

  constructor(parts: WorkParts) {
    this.#parts = parts;
  }

  /**
   * Begins the assigned task, in a new conversation with a new loop. Returns the message for the loop. Fails if the
   * ledger assigned no open task, or if no conversation could be opened.
   */
  async begin(): Promise<Result<string>> {
    const { gate, archive, message } = this.#parts;
    // A host that was restarted does not know of the task before; the ledger has assigned another one.
    if (this.#isUnderWay) await gate.endTurn();
    const task = await this.#ask(TaskRecord.methods.facts, {});
    if (!task.ok) return task;
    if (task.value.task.status !== "open") return refuse(`the task is ${task.value.task.status}`);
    this.#isUnderWay = true;
    const refusal = await archive.begin(gate);
    if (refusal !== undefined) return this.#giveUp(refusal);
    const described = await this.#describe();
    if (!described.ok) return this.#giveUp(described.reason);
    gate.session.beginTurn();
    await archive.beginTurn(hash("sha256", message, "buffer"));
    return accept(message);
  }

  /**
   * Ends the turn and the task, after the running call has ended. `said`: text of the loop. `fault`: why the turn did
   * not end by itself; empty otherwise. Fails if the ledger does not record this.
   */
  async finish(said: string, fault: string): Promise<Result<TaskStatus>> {
    const { gate } = this.#parts;
    if (!this.#isUnderWay) return refuse("the worker has begun no task");
    await gate.endTurn();
    this.#isUnderWay = false;
    const described = await this.#describe();
    if (!described.ok) return described;
    const bytes = cut(said, MAX_SAID_BYTES);
    if (bytes.length > 0) {
      const facts = await this.#ask(TaskRecord.methods.facts, {});
      if (!facts.ok) return facts;
      const messages = [{ digest: hash("sha256", bytes, "buffer"), bytes }];
      const kept = await this.#ask(TaskRecord.methods.append, { from: facts.value.task.messages, messages });
      if (!kept.ok) return kept;
    }
    const ended =
      fault === ""
        ? await this.#ask(TaskRecord.methods.finish, {})
        : await this.#ask(TaskRecord.methods.stop, { cause: "fail", reason: cut(fault, MAX_FAULT_BYTES).toString() });
    return ended.ok ? accept(fault === "" ? "reviewing" : "failed") : ended;
  }

  #giveUp(reason: string): Result<never> {
    this.#isUnderWay = false;
    return refuse(reason);
  }

  /** Records what the task is asked, and the label of all that it has read. */
  #describe(): Promise<Result<unknown>> {
    const { gate, message } = this.#parts;
    const label = Buffer.from(formatLabel(gate.parts.tables.lattice, gate.conversation.label));
    return this.#ask(TaskRecord.methods.describe, { objective: message, label });
  }

  #ask<P, R>(method: MethodLayout<P, R>, params: P): Promise<Result<R>> {
    return askNeighbour(this.#parts.record, "the ledger does not answer", method, params);
  }
}

/** Returns the work of a gate that runs the tasks of an ingress. Fails if the gate cannot store conversations. */
export function openWork(gate: Gate, archive: Archive | undefined, capset: Pick<Capset, "connection">): Result<Work> {
  const { tables, ingress } = gate.parts;
  const message = tables.ingresses.find(({ name }) => name === ingress)?.says ?? "";
  if (archive === undefined) return refuse("a worker needs the store of conversations");
  return accept(new Work({ gate, archive, record: capset.connection("ledger"), message }));
}

/** Serves the work of a gate to the host. */
export function implementWorker(work: Work) {
  return implement(Worker, {
    begin: async () => {
      const begun = await work.begin();
      return begun.ok ? { message: begun.value } : makeFailure("failed", begun.reason);
    },
    finish: async ({ said, fault }) => {
      const ended = await work.finish(said, fault);
      return ended.ok ? { status: ended.value } : makeFailure("failed", ended.reason);
    },
  });
}

/** Returns the UTF-8 bytes of a text, cut before the character that would exceed `most`. */
function cut(text: string, most: number): Buffer {
  const bytes = Buffer.from(text);
  return bytes.length <= most ? bytes : bytes.subarray(0, countWholeBytes(bytes, most));
}
