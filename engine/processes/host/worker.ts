// One worker, as the host sees it: its gate, which begins and ends tasks, and its loop, for which the host is the person
// at the terminal. A worker runs one task at a time.

import { accept, type Result, refuse } from "../../lib/result/result.ts";
import { Worker as WorkerInterface } from "../../lib/wire/generated/ledger.ts";
import type { Speaker } from "../../lib/wire/generated/wire.ts";
import type { Neighbour } from "./ports.ts";

/** Milliseconds within which a worker begins or ends a task. The gate waits for init to restart the loop, which may take two minutes. */
const WORK_MS = 180_000;
/** Maximum UTF-16 units of text that the host keeps of one turn; the rest of a longer text is dropped. */
const MOST_SAID = 64 * 1024;
const MOST_FAULT = 512;

/** Result of a worker's turn. */
interface Outcome {
  /** Text that the model wrote. */
  readonly said: string;
  /** Why the turn did not end by itself; empty otherwise. */
  readonly fault: string;
}

/** A connection of a loop. After a restart, the new loop has a connection of its own. */
interface LoopConnection {
  /** Resolves with the line that the loop waits for, or with `undefined` if the worker has no further lines for this connection. */
  readonly readLine: () => Promise<string | undefined>;
  readonly write: (text: string, speaker: Speaker) => void;
  /** Resolves when the running turn must stop. */
  readonly awaitInterrupt: () => Promise<void>;
  /** Notes that the connection is closed. */
  readonly close: () => void;
}

interface Turn {
  said: string;
  fault: string;
  readonly end: (outcome: Outcome) => void;
  readonly interrupt: () => void;
  readonly interrupted: Promise<void>;
}

export class Worker {
  /** Name of the process of the worker's gate. */
  readonly gate: string;
  readonly #connection: Neighbour;
  /** Connection of the present loop, which waits for a line. */
  #reader: { readonly of: LoopConnection; readonly give: (line: string | undefined) => void } | undefined;
  #line: string | undefined;
  #turn: Turn | undefined;
  /** Connection of the loop that has read the turn's message. */
  #reading: LoopConnection | undefined;

  constructor(gate: string, connection: Neighbour) {
    this.gate = gate;
    this.#connection = connection;
  }

  /** Runs the task that the ledger assigned to this worker. Resolves when the task has ended, or with the reason why the worker cannot say so. */
  async run(): Promise<Result<"failed" | "reviewing">> {
    const begun = await this.#connection.call(WorkerInterface.methods.begin, {}, { timeoutMs: WORK_MS });
    if (!begun.ok) return refuse(begun.reason);
    const outcome = await this.#takeTurn(begun.value.message);
    const ended = await this.#connection.call(WorkerInterface.methods.finish, outcome, { timeoutMs: WORK_MS });
    if (!ended.ok) return refuse(ended.reason);
    return accept(ended.value.status === "reviewing" ? "reviewing" : "failed");
  }

  /** Stops the running turn; the loop then reads its next line. */
  interrupt(): void {
    this.#turn?.interrupt();
  }

  /** Returns a connection of this worker's loop. */
  connectLoop(): LoopConnection {
    const connection: LoopConnection = {
      readLine: () => this.#readLine(connection),
      write: (text, speaker) => this.#write(connection, text, speaker),
      awaitInterrupt: () => this.#turn?.interrupted ?? new Promise(() => {}),
      close: () => this.#close(connection),
    };
    return connection;
  }

  #takeTurn(message: string): Promise<Outcome> {
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    const { promise: interrupted, resolve: interrupt } = Promise.withResolvers<void>();
    this.#turn = { said: "", fault: "", end: resolve, interrupt, interrupted };
    this.#line = message;
    this.#giveLine();
    return promise;
  }

  #giveLine(): void {
    const [reader, line] = [this.#reader, this.#line];
    if (reader === undefined || line === undefined) return;
    [this.#reader, this.#line, this.#reading] = [undefined, undefined, reader.of];
    reader.give(line);
  }

  #readLine(connection: LoopConnection): Promise<string | undefined> {
    // If the loop that read the message of the task asks for another line, its turn is over.
    if (this.#reading === connection) this.#endTurn("");
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    this.#reader?.give(undefined);
    this.#reader = { of: connection, give: resolve };
    this.#giveLine();
    return promise;
  }

  #write(connection: LoopConnection, text: string, speaker: Speaker): void {
    const turn = this.#turn;
    if (turn === undefined || this.#reading !== connection) return;
    if (speaker === "runner") turn.fault = `${turn.fault}${text}`.slice(0, MOST_FAULT);
    else turn.said = `${turn.said}${text}`.slice(0, MOST_SAID);
  }

  #close(connection: LoopConnection): void {
    if (this.#reader?.of === connection) this.#reader = undefined;
    if (this.#reading === connection) this.#endTurn("the agent of the worker ended");
  }

  #endTurn(fault: string): void {
    const turn = this.#turn;
    [this.#turn, this.#reading] = [undefined, undefined];
    turn?.end({ said: turn.said, fault: fault === "" ? turn.fault.trim() : fault });
  }
}
