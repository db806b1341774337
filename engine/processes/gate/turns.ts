// Turns one after the other, and how each of them ends: with the next one, with its time, with the session, with the machine.
import { runAfter } from "./deadline.ts";
import { type Stop, Turn } from "./turn.ts";

/** Where the page sets none. Nobody waits longer than that for one line to be answered. */
const TURN_TIMEOUT_MS = 3_600_000;

export class Turns {
  /** The one before the first: over before it began, so that nothing runs until a person says something. */
  #turn: Turn;
  /** Why no turn begins any more. */
  #over: Stop | undefined;
  #disarm = () => {};
  readonly #ended: () => void;

  /** `ended`: told where the turn of the moment is, for what is answered in it ends as well. */
  constructor(ended: () => void) {
    this.#ended = ended;
    this.#turn = createEndedTurn(0);
  }

  get now(): Turn {
    return this.#turn;
  }

  get over(): Stop | undefined {
    return this.#over;
  }

  /** What the last one left undone is stopped. `timeMs` 0: the page sets none. */
  begin(proposer: Turn["proposer"], timeMs: number, isLocked: boolean): Turn {
    this.end("over");
    this.#disarm();
    const turn = new Turn(this.#turn.number + 1, proposer);
    this.#turn = turn;
    if (this.#over !== undefined) turn.end(this.#over);
    if (isLocked) turn.end("locked");
    this.#disarm = runAfter(timeMs || TURN_TIMEOUT_MS, () => this.end("turnTime", turn));
    return turn;
  }

  /** In another conversation, the highest turn of which this is. */
  goOnAfter(turn: number): void {
    this.#disarm();
    this.#turn = createEndedTurn(turn);
  }

  end(why: Stop, turn = this.#turn): void {
    turn.end(why);
    if (turn === this.#turn) this.#ended();
  }

  endAll(why: Stop): void {
    this.#over ??= why;
    this.end(why);
  }
}

function createEndedTurn(number: number): Turn {
  const turn = new Turn(number, "loop");
  turn.end("over");
  return turn;
}
