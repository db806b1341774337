import type { CallRecord, PermissionDecision } from "../../../engine/lib/wire/generated/audit.ts";
import type { Direction } from "../diff/index.ts";
import type { ConversationBounds } from "./conversation-bounds.ts";
import type { Judgement } from "./judgement.ts";
import type { RecordedOutcome } from "./recorded-outcome.ts";

/** A recorded decision, and the decision of the replayed policy. */
export interface Finding {
  readonly at: RecordPlace;
  /** `call`: a call of a tool. `step`: a person's step into a task or phase. */
  readonly kind: "call" | "step";
  readonly session: string;
  /** Session, task and phase, as far as they are known: `operator.triage.look`. */
  readonly place: string;
  readonly conversation: string;
  readonly turn: number;
  /** Name of the tool; for a step, the command, such as `/task triage`. */
  readonly tool: string;
  /** Arguments as recorded; complete if `isWhole`. */
  readonly arguments: string;
  readonly isWhole: boolean;
  /** Whether the arguments are withheld: the log contains only their digest, because of the page's `audit` block. */
  readonly isWithheld: boolean;
  /** Bounds of the conversation before the call or step. */
  readonly standing: ConversationBounds;
  readonly recorded: RecordedDecision;
  readonly was: RecordedOutcome;
  /**
   * Judgement under the replayed policy; `undefined` if the machine itself refused the call, so that no policy decides
   * about it.
   */
  readonly now: Judgement | undefined;
  /** Direction of the change; `undefined` if the decision is the same or cannot be made. */
  readonly direction: Direction | undefined;
  /** Whether the new decision is certainly or possibly looser than the recorded decision. */
  readonly mayWiden: boolean;
}

/** Position and time of a record. */
export interface RecordPlace {
  /** Index of the log, in the order in which logs were given. */
  readonly log: number;
  readonly sequence: bigint;
  /** Milliseconds since 1970; 0 if unknown. */
  readonly wallMs: bigint;
  /** Whether the record is in an unbroken chain. The verdict of the log states whether this chain can be trusted. */
  readonly isInOrder: boolean;
}

/** Decision as the record states it. */
interface RecordedDecision {
  readonly decision: PermissionDecision | "";
  readonly outcome: CallRecord["outcome"] | "";
  readonly error: string;
  /** `Rule.id` in the policy under which the record was made; empty if no rule decided. */
  readonly rule: string;
  readonly principal: string;
}
