import type { Answer, Notice, Question } from "../../lib/wire/generated/wire.ts";
import type { Cancel, Connection } from "../../lib/wire/index.ts";

/** A person's answer to a question, with `signature` if a signature was asked for. */
export interface Said {
  readonly answer: Answer;
  readonly signature: string;
}

/** The only interface through which a person is asked. */
export interface Person {
  /** Asks a person; resolves with `undefined` if no person could be reached. */
  readonly ask: (question: Question, signal: Cancel) => Promise<Said | undefined>;
  /** Shows a call, without waiting until the console has drawn it. */
  readonly announce: (notice: Notice) => void;
  /** Resolves when all notices so far are drawn, or never will be. That may take until another session's question is answered. */
  readonly drawn: () => Promise<void>;
  /**
   * Clears the input and the screen, and shows that the session is locked. Resolves when the console has done so or fails to answer; later
   * lines appear below that message.
   */
  readonly lock: () => Promise<void>;
  /** Resolves with true when the person stops the running work, and with false if no more interrupts will come. */
  readonly interrupted: () => Promise<boolean>;
}

/** A capability of the session, found by the name of its service. */
export type Provider = Pick<Connection, "callTool">;

/** The parts of the broker, audit or supervisor that a gate uses. */
export type Neighbour = Pick<Connection, "call"> & Partial<Pick<Connection, "closed">>;

/** Timeout of a request to a neighbour in milliseconds. A record waits for the disk, and a slow disk takes seconds. */
export const NEIGHBOUR_MS = 20_000;
