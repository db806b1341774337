import type { IndexedTables } from "../../../lib/policy/index.ts";
import type { Conversing } from "../conversing.ts";
import { makeEnding } from "../ending.ts";
import type { Neighbour } from "../ports.ts";
import { buildIntent } from "../record.ts";
import type { Recording } from "../recording.ts";
import { takeBackConsent } from "../remembering.ts";
import type { Approved } from "./approved.ts";
import { Stopped } from "./stopped.ts";

interface RecordingParts {
  readonly tables: IndexedTables;
  readonly session: string;
  readonly broker: Neighbour;
  readonly recording: Recording;
  /** If `isListening` is true, `hearWritten` adds to the sources of the conversation the arguments of each call that writes data. */
  readonly conversing: Pick<Conversing, "isListening" | "hearWritten">;
}

const NOT_KEPT = "what it would write could not be put on record, so nobody would know it again";

/** A call that may be sent, because its intent is on the disk, or because its outcome will be its only record. */
export class Recorded {
  declare protected readonly stage: "recorded";
  readonly approved: Approved;
  /** Sequence number of the intent's record; 0 if there is no intent. */
  readonly intent: bigint;

  private constructor(approved: Approved, intent: bigint) {
    this.approved = approved;
    this.intent = intent;
  }

  static record(parts: RecordingParts, approved: Approved): Recorded | Promise<Recorded | Stopped> {
    const { trail, judged } = approved.reserved.answerable.recordable;
    if (parts.conversing.isListening && !judged.tool.readOnly) return Recorded.#recordWritten(parts, approved);
    return trail === "intent and outcome" ? Recorded.#recordIntent(parts, approved) : new Recorded(approved, 0n);
  }

  /**
   * Records the arguments of a call that writes, before it is sent. If the service returns these values later, its
   * result does not count as their source.
   */
  static async #recordWritten(parts: RecordingParts, approved: Approved): Promise<Recorded | Stopped> {
    const { trail, judged } = approved.reserved.answerable.recordable;
    const isKept = await parts.conversing.hearWritten(judged.tool, judged.decision.arguments);
    if (!isKept) return Recorded.#stop(parts, approved, NOT_KEPT);
    return trail === "intent and outcome" ? Recorded.#recordIntent(parts, approved) : new Recorded(approved, 0n);
  }

  static async #recordIntent(parts: RecordingParts, approved: Approved): Promise<Recorded | Stopped> {
    const intent = buildIntent(parts, approved.reached.facts);
    const recorded = await parts.recording.append({ which: "intent", intent });
    if (recorded.ok) return new Recorded(approved, recorded.value);
    return Recorded.#stop(parts, approved, `the audit does not record the call: ${recorded.reason}`);
  }

  static async #stop(parts: RecordingParts, approved: Approved, reason: string): Promise<Stopped> {
    // If the call is not recorded, also revoke a lasting consent that was given with it.
    const { reserved, permission, principal, consent, inquiry } = approved;
    const isGivenNow = permission === "consented" && consent !== 0;
    if (isGivenNow) await takeBackConsent(parts.broker, consent);
    const reached = isGivenNow ? reserved.reach({ permission, principal, consent: 0, inquiry }) : approved.reached;
    return new Stopped(makeEnding("refusedByPolicy", reason), reached);
  }
}
