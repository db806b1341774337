import type { Result } from "../../../lib/result/result.ts";
import { makeEnding } from "../ending.ts";
import { refuseTooMuch } from "../flood.ts";
import type { Neighbour } from "../ports.ts";
import { MAX_REPEATED_BYTES } from "../record.ts";
import type { Recording } from "../recording.ts";
import type { Judged } from "./judged.ts";
import { describeFacts, NO_WORD, type Reached, Stopped, type Trail, type Word } from "./stopped.ts";

interface RecordableParts {
  readonly session: string;
  readonly audit: Neighbour;
  readonly recording: Recording;
}

/**
 * A call whose records the audit accepts, and which fit into the bytes that a loop may have recorded in one turn. The
 * records are not written yet.
 */
export class Recordable {
  declare protected readonly stage: "recordable";
  readonly judged: Judged;
  readonly trail: Trail;

  private constructor(judged: Judged, trail: Trail) {
    this.judged = judged;
    this.trail = trail;
  }

  /** Checks that the call can be recorded. A call without a question does not wait for the audit: the audit's last report suffices. */
  static confirm(parts: RecordableParts, judged: Judged): Recordable | Stopped | Promise<Recordable | Stopped> {
    const { recording } = parts;
    const known = judged.decision.gate === "auto" ? recording.known : undefined;
    if (known !== undefined) return Recordable.#accept(parts, judged, known);
    return recording.canRecord().then((canRecord) => Recordable.#accept(parts, judged, canRecord));
  }

  /**
   * Checks, before anyone is asked, whether the call may run. Without a disk, only reads that need no question may run. With a
   * disk, no call may run if the log is full or the audit does not answer.
   */
  static #accept(parts: RecordableParts, judged: Judged, canRecord: Result<boolean>): Recordable | Stopped {
    // Send the refusal itself to the audit, whose log keeps space for refusals.
    if (!canRecord.ok) return stop(judged, canRecord.reason, "intent and outcome");
    const trail = canRecord.value ? chooseTrail(judged) : "none";
    const { decision, tool } = judged;
    const needsRecord = decision.gate !== "auto" || !tool.readOnly;
    if (trail === "none" && needsRecord) return stop(judged, NOT_DURABLE, trail);
    const tooMuch = trail === "none" ? undefined : refuseTooLong(parts, judged);
    return tooMuch === undefined ? new Recordable(judged, trail) : stop(judged, tooMuch, trail);
  }

  /** Returns the progress of the call up to this stage, at which the broker has not charged it yet. */
  reach(word: Word): Reached {
    return reach(this.judged, word, this.trail);
  }
}

const NOT_DURABLE = "nothing is recorded durably, so only reading that asks nobody may run";

function stop(judged: Judged, reason: string, trail: Trail): Stopped {
  return new Stopped(makeEnding("refusedByPolicy", reason), reach(judged, NO_WORD, trail));
}

function reach({ proposed, decision }: Judged, word: Word, trail: Trail): Reached {
  return { proposed, facts: describeFacts(proposed, decision, word), trail, lease: undefined };
}

function chooseTrail({ decision, tool }: Judged): Trail {
  const isOurs = tool.readOnly && !tool.networked && !tool.pageProgram;
  return decision.gate === "auto" && isOurs ? "outcome" : "intent and outcome";
}

/**
 * Returns why a record of all arguments exceeds the bytes that a loop may have recorded in one turn, or `undefined` if
 * it does not. So far only the beginning of the arguments was counted, because a refusal records no more of them.
 */
function refuseTooLong(parts: RecordableParts, { proposed, decision }: Judged): string | undefined {
  const { turn, hearer } = proposed.proposal;
  const more = Buffer.byteLength(decision.arguments) - MAX_REPEATED_BYTES;
  return hearer === "loop" && more > 0 ? refuseTooMuch(parts, turn, more) : undefined;
}
