// Runs action plans as turns. Plans come from a submitter at the initial label of the session, and the results go back to the submitter. So
// a call that would raise the conversation's label does not run.

import {
  admit,
  type Conversation,
  type Decision,
  decide,
  type IndexedTables,
  isSameLabel,
  type Label,
  mayRecord,
} from "../../lib/policy/index.ts";
import { accept, type Result, refuse } from "../../lib/result/result.ts";
import type { ToolCall, ToolResult } from "../../lib/wire/generated/capos.ts";
import type { Cancel } from "../../lib/wire/index.ts";
import type { Caution } from "./call/proposed.ts";
import type { Calls } from "./calls.ts";
import type { Conversing } from "./conversing.ts";
import { makeEnding, makeResult } from "./ending.ts";
import { refuseTooMany } from "./flood.ts";
import type { Moves } from "./moves.ts";
import type { Note } from "./parts.ts";
import type { PersonCalls } from "./person-calls.ts";
import type { Neighbour } from "./ports.ts";
import { describeEvent, type EventDetail, type Recording } from "./recording.ts";
import type { Seat } from "./seat.ts";
import type { Sequence } from "./sequence.ts";
import { STOP_WORDS } from "./turn.ts";
import type { Turns } from "./turns.ts";

interface PlanTurnsParts {
  readonly tables: IndexedTables;
  readonly session: string;
  readonly audit: Neighbour;
  readonly recording: Recording;
  readonly seat: Seat;
  readonly conversing: Conversing;
  readonly turns: Turns;
  readonly sequence: Sequence;
  readonly moves: Pick<Moves, "isSwitching">;
  readonly calls: Calls;
  readonly personCalls: Pick<PersonCalls, "isUnderWay">;
  readonly note: Note;
}

/**
 * Maximum number of actions of one plan (engine/outside/osd/limits.ts). A submitter of plans begins turns itself. If
 * each of these turns could have 128 calls, as a loop's turn can, the submitter would fill the log.
 */
export const MAX_PLANNED = 16;
const NOT_THE_PLANS = "the turn of this plan is over";
const OVERTAKEN = "a person began a turn before the plan's";
const FLOATED = "what this session has seen may not be told to who hands in plans";

export class PlanTurns {
  readonly #parts: PlanTurnsParts;
  /** The label at which conversations of the session begin. */
  readonly #start: Label;

  /** `first` is a new conversation of the session; the others begin at the same label. */
  constructor(parts: PlanTurnsParts, first: Conversation) {
    this.#parts = parts;
    this.#start = first.label;
  }

  /**
   * Begins the turn of an action plan, once the running calls and all calls that a person has made are done. It waits
   * for the person's calls, because such a call would end the turn of the plan. Fails if the plan cannot be recorded or
   * if no turn may begin. The plan's request is recorded before any action of the plan runs.
   */
  async begin(words: string): Promise<Result<number>> {
    const { sequence, personCalls } = this.#parts;
    for (;;) {
      const begun = await sequence.run(async () => (personCalls.isUnderWay ? undefined : this.#beginNow(words)));
      if (begun !== undefined) return begun;
    }
  }

  async #beginNow(words: string): Promise<Result<number>> {
    const { session, recording, seat, conversing, turns, note } = this.#parts;
    const { over } = turns;
    if (seat.isLocked) return refuse(STOP_WORDS.locked);
    if (over !== undefined) return refuse(STOP_WORDS[over]);
    if (!this.#isAtStart) return refuse(FLOATED);
    const canRecord = await recording.canRecord();
    if (!canRecord.ok) return canRecord;
    conversing.nameOnce();
    const before = turns.now;
    const event = describeEvent(session, "plan", this.#describePlan(before.number + 1, words));
    const recorded = canRecord.value ? await recording.append({ which: "session", session: event }) : accept(0n);
    if (!recorded.ok) return recorded;
    // If another turn has begun in the meantime, refuse the plan. A turn for the plan would end that turn, perhaps
    // before a person's call in it has run. Its number would also differ from the recorded one.
    if (turns.now !== before) {
      note("plan refused", `turn ${before.number + 1}: ${OVERTAKEN}`);
      return refuse(OVERTAKEN);
    }
    return accept(turns.begin("plan"));
  }

  /** Returns the recorded text of a plan: with its words if the page lets the log keep them, otherwise with their digest. */
  #describePlan(turn: number, words: string): EventDetail {
    const { tables, conversing } = this.#parts;
    if (mayRecord(tables, conversing.state.label)) return { detail: `turn ${turn}: ${words}`, withheld: "" };
    return { detail: `turn ${turn}`, withheld: words };
  }

  /** Runs one call of a plan. */
  async act(turn: number, call: ToolCall, caution: Caution, signal: Cancel): Promise<ToolResult> {
    const { calls, turns, moves } = this.#parts;
    const flood = refuseTooMany(this.#parts, turns.now, MAX_PLANNED);
    if (flood !== undefined) return makeResult(call, makeEnding("refusedByPolicy", flood));
    const isOurs = turns.now.proposer === "plan" && turn === turns.now.number && !moves.isSwitching;
    const objection = isOurs ? this.explainRaise(this.decideNow(call)) : NOT_THE_PLANS;
    const told = await calls.propose({ call, origin: { by: "plan" }, hearer: "plan", caution, objection, signal });
    return this.#isAtStart ? told : makeResult(call, makeEnding("refusedByPolicy", FLOATED));
  }

  /** Returns the policy's decision on a call now; a proposed call is decided again in its turn. */
  decideNow({ name: tool, arguments: args }: ToolCall): Decision {
    return decide(this.#parts.tables, this.#parts.conversing.state, { tool, arguments: args });
  }

  /**
   * Returns a reason if the call would add data to the conversation that the submitter of the plan must not get;
   * otherwise `undefined`.
   */
  explainRaise(decision: Decision): string | undefined {
    if (decision.kind !== "gated") return undefined;
    const { conversation, withheld } = admit(this.#parts.tables, this.#parts.conversing.state, decision.tool);
    return withheld || !isSameLabel(conversation.label, this.#start) ? FLOATED : undefined;
  }

  get #isAtStart(): boolean {
    return isSameLabel(this.#parts.conversing.state.label, this.#start);
  }
}
