import { type Cancel, Canceller } from "../../lib/wire/index.ts";
import { type Ending, makeEnding } from "./ending.ts";

/** Reason why a turn ended before its calls were finished. */
export type Stop =
  /** The person stopped the turn. */
  | "stopped"
  /** Another turn began. */
  | "over"
  /** The page's time for a turn, or for a session, has run out. */
  | "turnTime"
  | "sessionTime"
  /** No principal is logged in. */
  | "locked"
  /** The whole machine stops, and starts nothing more. */
  | "machine";

export const STOP_WORDS = {
  stopped: "the person stopped the turn",
  over: "the turn is over",
  turnTime: "the page's time for a turn is over",
  sessionTime: "the page's time for a session is over",
  locked: "the session is locked",
  machine: "the machine stops",
} as const satisfies Record<Stop, string>;

/**
 * Number of denials of one tool after which nobody is asked about the tool again in the turn, whatever the arguments.
 * Without this limit, a model could reword the call until the person gets tired and approves.
 */
const MAX_DENIALS = 3;
/**
 * Maximum number of questions of one turn if the page sets no quota of prompts per turn. The number is far higher than the longest turn
 * of the examples needs, and low enough for a person to read each question. A page may set a higher number.
 */
export const MAX_QUESTIONS = 12;
/**
 * Maximum bytes of arguments that a person reviews: seven pages of a small screen. People approve longer arguments by habit, so longer
 * arguments require a signature.
 */
export const MAX_JUDGED_BYTES = 8 * 1024;

/**
 * One turn of the conversation: from one line of a person to the next. Each turn has a higher number than all turns
 * before it.
 */
export class Turn {
  readonly number: number;
  /** Proposer of the turn's calls: the loop, a plan, or a person who types a call. */
  readonly proposer: "loop" | "plan" | "person";
  /** Denied calls, by tool and arguments; they stay denied for the turn. */
  readonly #denied = new Set<string>();
  readonly #denials = new Map<string, number>();
  /** Number of questions to a person in the turn. */
  questions = 0;
  /** Number of calls proposed in the turn. */
  proposed = 0;
  /** Approximate bytes that the audit keeps for proposals and answers of the turn. */
  recorded = 0;
  /** Whether a malformed proposal was recorded. */
  isMalformedNoted = false;
  /** Whether a flood of proposals was recorded. */
  isFloodNoted = false;
  #stop: Stop | undefined;
  readonly #canceller = new Canceller();

  constructor(number: number, proposer: Turn["proposer"]) {
    this.number = number;
    this.proposer = proposer;
  }

  /** Notes that a person denied a call, did not answer, or did not sign. */
  deny(tool: string, args: string): void {
    this.#denied.add(`${tool} ${args}`);
    this.#denials.set(tool, (this.#denials.get(tool) ?? 0) + 1);
  }

  /** Returns why nobody is asked about a call, or `undefined` if a person may be asked. */
  findEarlierDenial(tool: string, args: string): string | undefined {
    if ((this.#denials.get(tool) ?? 0) >= MAX_DENIALS) {
      return `${tool} was denied ${MAX_DENIALS} times in this turn; nobody is asked about it again before the next`;
    }
    return this.#denied.has(`${tool} ${args}`) ? "this was denied earlier in the turn" : undefined;
  }

  get signal(): Cancel {
    return this.#canceller;
  }

  get stop(): Stop | undefined {
    return this.#stop;
  }

  end(why: Stop): void {
    this.#stop ??= why;
    this.#canceller.abort();
  }

  /** Reason why the turn sends no further calls. */
  get stopWords(): string {
    return this.#stop === undefined ? "the call was given up" : STOP_WORDS[this.#stop];
  }

  /** Ending of a call that was not sent because of the stop. */
  get unsent(): Ending {
    return makeEnding(this.#isTime || this.#stop === "locked" ? "refusedByPolicy" : "cancelled", this.stopWords);
  }

  /** Ending of a call that was running at the stop. */
  get underWay(): Ending {
    return makeEnding(this.#isTime ? "timedOut" : "cancelled", this.stopWords);
  }

  get #isTime(): boolean {
    return this.#stop === "turnTime" || this.#stop === "sessionTime";
  }
}
