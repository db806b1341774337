import type { CallRecord, PermissionDecision } from "../../../engine/lib/wire/generated/audit.ts";
import type { Direction } from "../diff/index.ts";
import type { ConversationBounds } from "./conversation-bounds.ts";
import type { Judgement } from "./judgement.ts";
import type { RecordedOutcome } from "./recorded-outcome.ts";

/** One decision of the records, and its result now. */
export interface Finding {
  readonly at: RecordPlace;
  /** A person's step into a task or phase, or a call. */
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
  /** Whether the page kept the arguments out of the log, which has only their digest. */
  readonly isWithheld: boolean;
  /** Bounds of the conversation before the call or step. */
  readonly standing: ConversationBounds;
  readonly recorded: RecordedDecision;
  readonly was: RecordedOutcome;
  /** Judgement now; `undefined` if no policy would decide it. */
  readonly now: Judgement | undefined;
  /** Direction relative to the record; `undefined` if both are the same or the call cannot be decided. */
  readonly direction: Direction | undefined;
  /** Whether it is certainly or possibly looser than before. */
  readonly mayWiden: boolean;
}

/** Identifies a record. */
export interface RecordPlace {
  /** Index of the log, in the order in which logs were given. */
  readonly log: number;
  readonly sequence: bigint;
  /** Milliseconds since 1970; 0: unknown. */
  readonly wallMs: bigint;
  /** Whether it is in an unbroken chain. The log's verdict says what that is worth. */
  readonly isInOrder: boolean;
}

/** Decision in the words of the record. */
interface RecordedDecision {
  readonly decision: PermissionDecision | "";
  readonly outcome: CallRecord["outcome"] | "";
  readonly error: string;
  /** `Rule.id` of the policy of that time; empty if no rule decided. */
  readonly rule: string;
  readonly principal: string;
}
