import { accept, type Result, refuse } from "../../lib/result/result.ts";
import type { Answer, Notice, Question } from "../../lib/wire/generated/wire.ts";
import type { Cancel, Connection, MethodLayout } from "../../lib/wire/index.ts";

/** A person's answer to a question, with `signature` if one was asked for. */
export interface Said {
  readonly answer: Answer;
  readonly signature: string;
  /** Milliseconds from the question to the answer, at least 1; it includes the time in which questions of other sessions were open. */
  readonly askedMs: number;
}

/** The person at the console; the gate asks questions only through this interface. */
export interface Person {
  /** Name of the process that asks the questions, for the record. */
  readonly surface: string;
  /** Asks a person; resolves with `undefined` if no person could be reached. */
  readonly ask: (question: Question, signal: Cancel) => Promise<Said | undefined>;
  /** Shows a call, without waiting until it is drawn. */
  readonly announce: (notice: Notice) => void;
  /** Resolves when all notices so far are drawn, or can no longer be drawn; a question of another session may delay this. */
  readonly drawn: () => Promise<void>;
  /**
   * Clears the input and the screen, and shows that the session is locked. Resolves when the console shows this, or
   * does not answer in time. A caller that waits for this draws its lines below the console's message.
   */
  readonly lock: () => Promise<void>;
  /** Resolves when the person stops the running work; with false if no more interrupts will come. */
  readonly interrupted: () => Promise<boolean>;
}

/** A connection to a service of the session, over which the gate calls tools. */
export type Provider = Pick<Connection, "callTool">;

/** A connection over which the gate sends requests to another process of the runtime, such as the broker or the audit. */
export type Neighbour = Pick<Connection, "call"> & Partial<Pick<Connection, "closed">>;

/**
 * Sends a request to a neighbour. Fails with the neighbour's reason, or with `silence` and the reason of the connection
 * if the neighbour does not answer. `silence`: for example "the ledger does not answer".
 */
export async function askNeighbour<P, R>(
  neighbour: Neighbour,
  silence: string,
  method: MethodLayout<P, R>,
  params: P,
): Promise<Result<R>> {
  const reply = await neighbour.call(method, params, { timeoutMs: NEIGHBOUR_MS });
  if (reply.ok) return accept(reply.value);
  return refuse(reply.code === "failed" ? reply.reason : `${silence}: ${reply.reason}`);
}

/** Timeout of a request to a neighbour in milliseconds. A record waits for the disk, and a slow disk takes seconds. */
export const NEIGHBOUR_MS = 20_000;
