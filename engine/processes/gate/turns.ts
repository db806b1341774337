// Runs turns one after the other. A turn ends when the next one begins, when its time is over, or when the session
// or the machine ends.
import type { IndexedTables } from "../../lib/policy/index.ts";
import type { Conversing } from "./conversing.ts";
import { runAfter } from "./deadline.ts";
import type { Models, Moment } from "./models.ts";
import type { Offered } from "./offered.ts";
import type { Seat } from "./seat.ts";
import { getTimeouts } from "./timeouts.ts";
import { type Stop, Turn } from "./turn.ts";

/** Timeout of a turn in milliseconds if the page sets none. A person does not wait longer for one answer. */
const TURN_TIMEOUT_MS = 3_600_000;

interface TurnsParts {
  readonly tables: IndexedTables;
  readonly models: Pick<Models, "withdraw">;
  readonly seat: Seat;
  readonly conversing: Conversing;
  readonly offered: Offered;
}

export class Turns {
  readonly #parts: TurnsParts;
  /**
   * Initial turn, before the first turn of a person begins. This turn is already over, so that nothing runs until a
   * person says something.
   */
  #turn = createEndedTurn(0);
  /** Reason why no further turn begins. */
  #over: Stop | undefined;
  #disarm = () => {};

  constructor(parts: TurnsParts) {
    this.#parts = parts;
  }

  get now(): Turn {
    return this.#turn;
  }

  get over(): Stop | undefined {
    return this.#over;
  }

  /** The current conversation and turn, for which the broker counts. */
  get place(): { readonly conversation: string; readonly turn: number } {
    return { conversation: this.#parts.conversing.name, turn: this.#turn.number };
  }

  /** Current state of the conversation, by which questions, charges and permits are decided. */
  get moment(): Moment {
    const { conversing } = this.#parts;
    return { state: conversing.state, conversation: conversing.name, turn: this.#turn };
  }

  /** Begins a turn, and stops unfinished work of the previous turn. Returns the number of the turn, which calls must name. */
  begin(proposer: Turn["proposer"]): number {
    const { tables, seat, conversing, offered } = this.#parts;
    this.end("over");
    this.#disarm();
    const turn = new Turn(this.#turn.number + 1, proposer);
    this.#turn = turn;
    if (this.#over !== undefined) turn.end(this.#over);
    if (seat.isLocked) turn.end("locked");
    const { turnMs } = getTimeouts(tables, conversing.state);
    this.#disarm = runAfter(turnMs || TURN_TIMEOUT_MS, () => this.end("turnTime", turn));
    // Withdraw the tool table of the previous turn: calls must name a table of their own turn.
    offered.withdraw();
    conversing.keepFirst(turn.number);
    return turn.number;
  }

  /** Continues in another conversation, whose highest turn is given. */
  goOnAfter(turn: number): void {
    this.#disarm();
    this.#turn = createEndedTurn(turn);
  }

  /** Ends a turn; if it is the current turn, the model's permit is withdrawn as well. */
  end(why: Stop, turn = this.#turn): void {
    turn.end(why);
    if (turn === this.#turn) void this.#parts.models.withdraw();
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
