// Calls of a person: a tool by its name, or a parked call. Each call of a person is a separate turn, in which nobody
// else can propose.
import { type IndexedTables, join, mayRecord } from "../../lib/policy/index.ts";
import { accept, type Result, refuse } from "../../lib/result/result.ts";
import type { ToolCall, ToolResult } from "../../lib/wire/generated/capos.ts";
import type { Cancel } from "../../lib/wire/index.ts";
import type { Calls } from "./calls.ts";
import type { Conversing } from "./conversing.ts";
import { type Moves, SWITCHING } from "./moves.ts";
import type { Parked, Parking } from "./parking.ts";
import type { Note } from "./parts.ts";
import { WITHHELD } from "./record.ts";
import type { Entry } from "./sources.ts";
import type { Turns } from "./turns.ts";

interface PersonCallsParts {
  readonly tables: IndexedTables;
  readonly parking: Parking;
  readonly calls: Calls;
  readonly conversing: Conversing;
  readonly turns: Turns;
  readonly moves: Pick<Moves, "isSwitching">;
  readonly note: Note;
}

export class PersonCalls {
  readonly #parts: PersonCallsParts;
  /** Number of calls of the person that wait or run. */
  #count = 0;

  constructor(parts: PersonCallsParts) {
    this.#parts = parts;
  }

  /**
   * Returns whether a person's call waits or runs. If so, no plan may begin, because a plan would end the turn of the
   * call.
   */
  get isUnderWay(): boolean {
    return this.#count > 0;
  }

  /** Runs a person's own call, with the same checks as every other call. */
  call(call: ToolCall, signal: Cancel, entry: Entry = "typed"): Promise<ToolResult> {
    const { calls, conversing, turns, moves } = this.#parts;
    const objection = moves.isSwitching ? SWITCHING : undefined;
    turns.begin("person");
    conversing.nameOnce();
    conversing.hearOwnCall(call.arguments, entry);
    const request = {
      call,
      origin: { by: "person" },
      hearer: "person",
      caution: "ordinary",
      objection,
      signal,
    } as const;
    return this.#countDuring(calls.propose(request));
  }

  /** Returns the parked calls; removes and records those that nobody resumed in time. */
  listWaiting(): readonly Parked[] {
    const { parking, note } = this.#parts;
    for (const one of parking.takeLapsed()) note("parked call lapsed", this.#describeParked(one));
    return parking.listAll();
  }

  /**
   * Resumes a parked call: decides it again under the current state, and asks the person if the decision demands it.
   * Fails if no such call of this conversation waits.
   */
  async takeUp(number: number, signal: Cancel): Promise<Result<ToolResult>> {
    const { parking, calls, conversing, turns, moves, note } = this.#parts;
    // During a switch the call would be decided under the label of the new conversation, although its arguments are words of the old
    // conversation.
    if (moves.isSwitching) return refuse(SWITCHING);
    this.listWaiting();
    const taken = parking.take(number, conversing.name);
    if (!taken.ok) return taken;
    const { call, origin } = taken.value;
    turns.begin("person");
    // This note in the audit log has the same call id as the later record of the call.
    const label = join(taken.value.label, conversing.state.label);
    note("parked call taken up", this.#describeParked({ ...taken.value, label }));
    const request = { call, origin, hearer: "person", caution: "ordinary", signal } as const;
    return accept(await this.#countDuring(calls.propose(request)));
  }

  /** Drops a parked call, or all parked calls if `number` is 0, and returns the dropped numbers. */
  dropParked(number: number): readonly number[] {
    const { parking, note } = this.#parts;
    const dropped = parking.drop(number);
    for (const one of dropped) note("parked call dropped", String(one));
    return dropped;
  }

  /** Describes a parked call for a record. The proposer is left out, because the record of the call's refusal names the proposer. */
  #describeParked({ number, call, conversation, turn, label }: Parked): string {
    const id = mayRecord(this.#parts.tables, label) ? call.id : WITHHELD;
    return `${number}: ${call.name}, call ${id} in turn ${turn} of ${conversation}`;
  }

  async #countDuring(call: Promise<ToolResult>): Promise<ToolResult> {
    this.#count += 1;
    try {
      return await call;
    } finally {
      this.#count -= 1;
    }
  }
}
