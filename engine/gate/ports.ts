import type { Answer, Notice, Question } from "../wire/generated/wire.ts";
import type { Connection } from "../wire/index.ts";

/** The one place where a person is asked. */
export interface Person {
  /** Nothing where nobody could be reached. */
  readonly ask: (question: Question, signal: AbortSignal) => Promise<Answer | undefined>;
  /** Shows a call; nobody waits for it to be drawn. */
  readonly announce: (notice: Notice) => void;
}

/** A capability of the session, found by the name of its service. */
export type Provider = Pick<Connection, "callTool">;
