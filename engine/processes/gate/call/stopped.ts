import type { Decision } from "../../../lib/policy/index.ts";
import type { PermissionDecision } from "../../../lib/wire/generated/audit.ts";
import { type Inquiry, NOBODY_ASKED } from "../asking.ts";
import type { Ending } from "../ending.ts";
import type { CallFacts } from "../record.ts";
import type { Proposed } from "./proposed.ts";

/**
 * Which records of a call are written if the call is sent. `outcome`: the provider is part of the runtime, and the call
 * only reads, asks no question and discloses no data. Such a read can be repeated without an effect, so it needs no
 * intent. `none`: the machine has no disk to record on.
 */
export type Trail = "intent and outcome" | "outcome" | "none";

/** How the call passed its gate, or that it did not pass a gate. */
export interface Word {
  readonly permission: PermissionDecision;
  /** Principal who stepped up; empty if none did. */
  readonly principal: string;
  /** Number of the remembered consent under which the call runs, or which its approval created; 0 if there is none. */
  readonly consent: number;
  readonly inquiry: Inquiry;
}

/** Value for a call that did not reach a gate. */
export const NO_WORD: Word = { permission: "notReached", principal: "", consent: 0, inquiry: NOBODY_ASKED };

/** Progress of a call: the values that its records contain, and the lease that is settled at its end. */
export interface Reached {
  readonly proposed: Proposed;
  readonly facts: CallFacts;
  readonly trail: Trail;
  /** Lease of the charge; `undefined` if the call was not charged. */
  readonly lease: Uint8Array | undefined;
}

/** A call that was stopped and not sent. Every step may return a stopped call instead of the next stage. */
export class Stopped {
  declare protected readonly stage: "stopped";
  readonly ending: Ending;
  readonly reached: Reached;
  /** Sequence number of the intent's record; 0 if there is no intent. */
  readonly intent: bigint;

  constructor(ending: Ending, reached: Reached, intent = 0n) {
    this.ending = ending;
    this.reached = reached;
    this.intent = intent;
  }
}

/** Returns the content of a call's record. `decision` is absent if the call was refused before it was judged. */
export function describeFacts(
  { proposal, before, label }: Proposed,
  decision: Decision | undefined,
  word: Word,
): CallFacts {
  return {
    state: before,
    label,
    conversation: proposal.conversation,
    turn: proposal.turn.number,
    call: proposal.call,
    origin: proposal.origin,
    decision,
    permission: word.permission,
    principal: word.principal || proposal.principal,
    consent: word.consent,
    inquiry: word.inquiry,
  };
}
