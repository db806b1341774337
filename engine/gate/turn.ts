import { type Ending, ended } from "./ending.ts";

/** Why a turn ended before its calls were done. */
export type Stop =
  /** The person stopped it. */
  | "stopped"
  /** Another one began. */
  | "over"
  /** The page's time for a turn, or for a session, has run out. */
  | "turnTime"
  | "sessionTime";

const WORDS = {
  stopped: "the person stopped the turn",
  over: "the turn is over",
  turnTime: "the page's time for a turn is over",
  sessionTime: "the page's time for a session is over",
} as const satisfies Record<Stop, string>;

/** One turn of the conversation: from one line of a person to the next. Numbers only grow. */
export class Turn {
  readonly number: number;
  /** Who may propose in it: the loop, or nobody but the person whose own call it is. */
  readonly proposer: "loop" | "person";
  /** What was denied, with what it ended in; it stays denied for the turn. */
  readonly denied = new Map<string, Ending>();
  /** How many calls were proposed in it. */
  proposed = 0;
  #stop: Stop | undefined;
  readonly #controller = new AbortController();

  constructor(number: number, proposer: "loop" | "person") {
    this.number = number;
    this.proposer = proposer;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get stop(): Stop | undefined {
    return this.#stop;
  }

  end(why: Stop): void {
    this.#stop ??= why;
    this.#controller.abort();
  }

  /** In words, why nothing more is sent in it. */
  get stopWords(): string {
    return this.#stop === undefined ? "the call was given up" : WORDS[this.#stop];
  }

  /** How a call ends that was not sent because of the stop. */
  get unsent(): Ending {
    return ended(this.#isTime ? "refusedByPolicy" : "cancelled", this.stopWords);
  }

  /** How a call ends that was under way when the stop came. */
  get underWay(): Ending {
    return ended(this.#isTime ? "timedOut" : "cancelled", this.stopWords);
  }

  get #isTime(): boolean {
    return this.#stop === "turnTime" || this.#stop === "sessionTime";
  }
}
