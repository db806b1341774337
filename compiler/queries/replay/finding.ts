import type { CallRecord, PermissionDecision } from "../../../engine/lib/wire/generated/audit.ts";
import type { Direction } from "../diff/index.ts";
import type { ConversationBounds } from "./conversation-bounds.ts";
import type { Judgement } from "./judgement.ts";
import type { RecordedOutcome } from "./recorded-outcome.ts";

/** One decision of the records, and what it would be. */
export interface Finding {
  readonly at: RecordPlace;
  /** A person's step into a task or phase, or a call. */
  readonly kind: "call" | "step";
  readonly session: string;
  /** session, task and phase, as far as it is known: `operator.triage.look`. */
  readonly place: string;
  readonly conversation: string;
  readonly turn: number;
  /** Of a step `/task triage`. */
  readonly tool: string;
  /** As they are on record; whole where `isWhole`. */
  readonly arguments: string;
  readonly isWhole: boolean;
  /** Where the conversation stood before it. */
  readonly standing: ConversationBounds;
  readonly recorded: RecordedDecision;
  readonly was: RecordedOutcome;
  /** Nothing where no policy would be asked. */
  readonly now: Judgement | undefined;
  /** Beside the record; nothing where it says the same, or cannot be decided. */
  readonly direction: Direction | undefined;
  /** Certainly or possibly looser than before. */
  readonly mayWiden: boolean;
}

/** Which record it is. */
export interface RecordPlace {
  /** From 0, in the order in which logs were given. */
  readonly log: number;
  readonly sequence: bigint;
  /** Milliseconds since 1970; 0: unknown. */
  readonly wallMs: bigint;
  /** It stands in an unbroken chain; what that is worth the log's verdict says. */
  readonly isInOrder: boolean;
}

/** What the record says of it, in its own words. */
interface RecordedDecision {
  readonly decision: PermissionDecision | "";
  readonly outcome: CallRecord["outcome"] | "";
  readonly error: string;
  /** Rule.id of the policy of then; empty where no rule decided. */
  readonly rule: string;
  readonly principal: string;
}
