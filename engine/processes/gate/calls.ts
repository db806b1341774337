// Runs calls of all proposers: one at a time, each through all of its stages (`call/run.ts`). After a call, applies its
// end to the gate's state.
import { isSameLabel, type Label } from "../../lib/policy/index.ts";
import type { ToolCall, ToolResult } from "../../lib/wire/generated/capos.ts";
import { type Hearer, type Proposal, Proposed } from "./call/proposed.ts";
import { type CallParts, runCall } from "./call/run.ts";
import type { Sent } from "./call/sent.ts";
import type { Withdrawal } from "./call/withdrawal.ts";
import type { Conversing } from "./conversing.ts";
import { type Ending, makeEnding, makeResult } from "./ending.ts";
import { deriveHeard } from "./heard.ts";
import type { Memory } from "./memory.ts";
import type { Models } from "./models.ts";
import type { Note } from "./parts.ts";
import type { Seat } from "./seat.ts";
import type { Sequence } from "./sequence.ts";
import type { Turns } from "./turns.ts";

type CallsParts = CallParts & {
  readonly models: Models;
  readonly seat: Seat;
  readonly conversing: Conversing;
  readonly turns: Turns;
  readonly sequence: Sequence;
  readonly memory: Memory;
  readonly note: Note;
};

/** A call as it is proposed. */
type Request = Pick<Proposal, "call" | "origin" | "hearer" | "caution" | "objection" | "fault" | "signal"> & {
  /** Label of the call's text, if the text may be from another conversation. */
  readonly label?: Label | undefined;
};

/** Form of the ids that a loop gives its calls. The id is shown and recorded, so it must not imitate other output. */
const CALL_ID = /^[\w.-]{1,64}$/;
const MALFORMED = "the id of a call is 1 to 64 letters, digits, and _ . -";
export const NOT_NEWEST = "the call was made from a tool table that is not the newest";
const NOT_KEPT = "it ran, and its result is not told: what the conversation has seen could not be put on record";

export class Calls {
  readonly #parts: CallsParts;
  /** Withdrawal of the call that is being decided, asked about or run. */
  #withdrawal: Withdrawal | undefined;

  constructor(parts: CallsParts) {
    this.#parts = parts;
  }

  /**
   * Returns why a proposal is malformed, or `undefined` if it is well-formed. An honest loop sends no malformed proposal; the gate records
   * the first malformed proposal of a turn.
   */
  findFault({ id }: ToolCall): string | undefined {
    if (CALL_ID.test(id)) return undefined;
    const turn = this.#parts.turns.now;
    if (!turn.isMalformedNoted) this.#parts.note("malformed", MALFORMED);
    turn.isMalformedNoted = true;
    return MALFORMED;
  }

  /** Runs a call after those that were proposed before, and returns the result for its proposer. */
  propose(request: Request): Promise<ToolResult> {
    const { conversing, turns, seat, sequence } = this.#parts;
    const { row } = conversing.state;
    const { call, origin, hearer, caution, objection, fault, signal } = request;
    const { principal } = seat;
    const turn = turns.now;
    const proposal = {
      call,
      origin,
      hearer,
      caution,
      conversation: conversing.name,
      label: request.label ?? conversing.state.label,
      turn,
      principal,
      objection,
      fault,
      signal,
    };
    return sequence.run(() => {
      // If the conversation moved to another row while the call waited, the tool table from which the call was made is void. A person's own
      // call has no table.
      const isVoid = hearer !== "person" && row !== conversing.state.row;
      return this.#run(isVoid ? { ...proposal, objection: NOT_NEWEST } : proposal);
    });
  }

  async #run(proposal: Proposal): Promise<ToolResult> {
    const { conversing, turns, memory } = this.#parts;
    const { label } = conversing.state;
    const proposed = new Proposed(proposal, this.#markAttended(proposal.hearer));
    this.#withdrawal = proposed.withdrawal;
    const ended = await runCall(this.#parts, proposed);
    const isHigher = !isSameLabel(ended.conversation.label, label);
    conversing.become(ended.conversation);
    memory.add(ended);
    const ending = hideStoppedResult(ended.ending, proposal);
    if (ended.told !== undefined && ending === ended.ending) this.#hear(ended.told);
    const mustBeKept = isHigher || conversing.mustBeKept;
    if (mustBeKept && !(await conversing.keep(turns.now.number)))
      return makeResult(proposal.call, makeEnding("refusedByPolicy", NOT_KEPT));
    return makeResult(proposal.call, ending);
  }

  /** Adds the words of an answer to the sources of the next decision. The words are recorded before the answer is passed on. */
  #hear({ recorded, reply }: Sent): void {
    const { conversing } = this.#parts;
    if (!conversing.isListening) return;
    const { tool, decision } = recorded.approved.reserved.answerable.recordable.judged;
    const heard = deriveHeard(tool, reply);
    if (heard !== undefined) conversing.hearAnswer(tool, decision.arguments, heard);
  }

  /**
   * Returns the state of the conversation in which a call is decided. If a person made the call or resumed it, the
   * state says that a person is present.
   */
  #markAttended(hearer: Hearer) {
    const { state } = this.#parts.conversing;
    return state.unattended && hearer === "person" ? { ...state, unattended: false } : state;
  }

  /** Revokes a service: from now on it is not used. */
  revoke(service: string): void {
    this.#parts.services.revoke(service);
    this.#withdrawal?.takeBack({ service });
    this.#parts.note("revoked", service);
  }

  /** Ends the call that runs under one of these consents, which the broker has revoked. */
  withdraw(consents: readonly number[]): void {
    this.#withdrawal?.takeBack({ consents });
    void this.#parts.models.withdrawLeases(consents);
    for (const number of consents) this.#parts.note("consent taken back", String(number));
  }
}

/**
 * Hides the result of a call that ran although its turn was stopped. The result is recorded, but the model does not get
 * it.
 */
function hideStoppedResult(ending: Ending, { hearer, turn }: Proposal): Ending {
  if (hearer === "person" || turn.stop === undefined || ending.outcome !== "ok") return ending;
  return { ...turn.underWay, error: `it ran, and its result is not told: ${turn.stopWords}` };
}
