import type { CallRecord, PermissionDecision } from "../../../engine/lib/wire/generated/audit.ts";
import type { Direction } from "../diff/index.ts";
import type { ConversationBounds } from "./conversation-bounds.ts";
import type { Judgement } from "./judgement.ts";
import type { RecordedOutcome } from "./recorded-outcome.ts";

/** A recorded decision, and its result under the replayed policy. */
export interface Finding {
  readonly at: RecordPlace;
  /** A call, or a person's step into a task or phase. */
  readonly kind: "call" | "step";
  readonly session: string;
  /** Session, task and phase as far as they are known, for example `operator.triage.look`. */
  readonly place: string;
  readonly conversation: string;
  readonly turn: number;
  /** Name of the tool; for a step, the command such as `/task triage`. */
  readonly tool: string;
  /** Arguments as recorded; they are complete if `isWhole` is true. */
  readonly arguments: string;
  readonly isWhole: boolean;
  /** State of the conversation before the call or step. */
  readonly standing: ConversationBounds;
  readonly recorded: RecordedDecision;
  readonly was: RecordedOutcome;
  /** Result under the replayed policy; `undefined` if no policy would decide this. */
  readonly now: Judgement | undefined;
  /** Direction of the change; `undefined` if both decisions are equal or if the call cannot be decided. */
  readonly direction: Direction | undefined;
  /** Whether the decision is certainly or possibly looser than before. */
  readonly mayWiden: boolean;
}

/** Identifies a record. */
export interface RecordPlace {
  /** Index of the log, in the order in which the logs were given. */
  readonly log: number;
  readonly sequence: bigint;
  /** Milliseconds since 1970; 0 if unknown. */
  readonly wallMs: bigint;
  /**
   * Whether the record is part of an unbroken hash chain. The verdict on the log says how far the chain can be trusted.
   */
  readonly isInOrder: boolean;
}

/** Decision as the record states it. */
interface RecordedDecision {
  readonly decision: PermissionDecision | "";
  readonly outcome: CallRecord["outcome"] | "";
  readonly error: string;
  /** Rule by its `Rule.id` in the policy of that time; empty if no rule decided. */
  readonly rule: string;
  readonly principal: string;
}
