import { type Conversation, join, type Label } from "../../../lib/policy/index.ts";
import type { ToolCall } from "../../../lib/wire/generated/capos.ts";
import type { Cancel } from "../../../lib/wire/index.ts";
import { type Ending, makeEnding } from "../ending.ts";
import type { Origin } from "../record.ts";
import type { Turn } from "../turn.ts";
import { Withdrawal } from "./withdrawal.ts";

/** Recipient of a call's result. The recipient differs from the proposer if a person resumes a parked call. */
export type Hearer = "loop" | "plan" | "person";
/** Caution of a call. `cautious`: a person is asked even if the page would not ask. */
export type Caution = "ordinary" | "cautious";

export interface Proposal {
  readonly call: ToolCall;
  readonly origin: Origin;
  readonly hearer: Hearer;
  readonly caution: Caution;
  readonly conversation: string;
  /**
   * Label of the call's text when the call was proposed. The label is stored here, because another conversation may be
   * opened while the call waits.
   */
  readonly label: Label;
  readonly turn: Turn;
  /** Principal who is logged in; empty if the session has no login. */
  readonly principal: string;
  /** Reason to refuse the call before it is judged. */
  readonly objection?: string | undefined;
  /** Reason why the arguments, which were not JSON, could not be read. */
  readonly fault?: string | undefined;
  /** Fires when the call is cancelled. */
  readonly signal: Cancel;
}

/** The first stage: a proposal in its conversation. All its fields are unchecked claims of the proposer. */
export class Proposed {
  readonly proposal: Proposal;
  /** The conversation in which the call is decided. */
  readonly before: Conversation;
  /** Label of the proposal joined with that of the conversation. */
  readonly label: Label;
  readonly withdrawal: Withdrawal;

  constructor(proposal: Proposal, before: Conversation) {
    this.proposal = proposal;
    this.before = before;
    this.label = join(proposal.label, before.label);
    this.withdrawal = new Withdrawal(proposal.signal, proposal.turn.signal);
  }

  /** Returns how the call ends if it may not continue, or `undefined` if it may. */
  findStop(): Ending | undefined {
    const { reason, signal } = this.withdrawal;
    if (reason !== undefined) return makeEnding("refusedByPolicy", reason);
    return signal.aborted ? this.proposal.turn.unsent : undefined;
  }
}
