// Decides the calls in an audit log again under another policy. The gate's own function decides about calls, and the
// broker's own code counts quotas. Decisions that depend on missing facts are reported as undecided. The caller passes
// the records, and states whether each is in an unbroken hash chain. Results about other records are marked.

import { canonicalizeArguments, formatRowPath, type IndexedTables } from "../../../engine/lib/policy/index.ts";
import type { AuditRecord, CallRecord } from "../../../engine/lib/wire/generated/audit.ts";
import { classifyChange, isLooser, isRefusal, isWidened } from "./answers.ts";
import { Clock } from "./clock.ts";
import { parseEvent, type SessionEvent } from "./events.ts";
import type { Finding, RecordPlace } from "./finding.ts";
import type { Open } from "./judgement.ts";
import { createLasting, type LastingCounts } from "./lasting-counts.ts";
import type { DecidedOutcome } from "./recorded-outcome.ts";
import { type ReplayedDecision, SessionWalk } from "./session-walk.ts";

/**
 * Maximum number of intents without an outcome. A gate makes one call at a time, so above this number the oldest intent
 * is reported without an outcome.
 */
const MAX_OPEN = 1024;
/**
 * Maximum bytes of arguments in a record that is not an intent. The gate cuts longer arguments and appends their
 * digest. A test checks that the gate has the same limit.
 */
export const MAX_WHOLE_BYTES = 4096;
const ORPHAN = "what came of it is on no record";

interface OpenIntent {
  readonly record: AuditRecord;
  readonly call: CallRecord;
  readonly at: RecordPlace;
}

export class Replay {
  readonly #tables: IndexedTables;
  /** SHA-256 of tables.bin of the replayed policy. */
  readonly #digest: Uint8Array;
  readonly #each: (finding: Finding) => void;
  #log = -1;
  #last: bigint | undefined;
  #isWhole = false;
  #clock = new Clock();
  #lasting: LastingCounts | undefined;
  #sessions = new Map<string, SessionWalk>();
  readonly #open = new Map<bigint, OpenIntent>();

  constructor(tables: IndexedTables, digest: Uint8Array, each: (finding: Finding) => void) {
    this.#tables = tables;
    this.#digest = digest;
    this.#each = each;
  }

  /** Starts another log. Counts and conversations of the earlier log are not continued in this log. */
  beginLog(): void {
    this.end();
    this.#log += 1;
    this.#cut();
  }

  /** Takes the next record of the log. `chain` states whether the record is in an unbroken chain. */
  take(record: AuditRecord, chain: "vouched" | "unvouched"): void {
    const { sequence, wallMs, entry } = record;
    if (this.#last !== undefined && sequence !== this.#last + 1n) this.#cut();
    this.#lasting ??= createLasting(this.#clock, sequence === 1n ? "whole" : "partial");
    this.#last = sequence;
    const at = { log: this.#log, sequence, wallMs, isInOrder: chain === "vouched" };
    if (entry.which === "boot") this.#boot();
    this.#clock.see(record);
    if (entry.which === "intent") this.#begin({ record, call: entry.intent, at });
    if (entry.which === "outcome") this.#end(record, at, entry.outcome);
    if (entry.which === "session") this.#hear(record, at, entry.session);
  }

  /** Reports the calls for which the log has no outcome. */
  end(): void {
    for (const sequence of [...this.#open.keys()]) this.#reportOrphan(sequence);
  }

  /**
   * Forgets all earlier state, because another log or a gap in the log follows. Open intents are kept, because their
   * outcomes may follow after the gap.
   */
  #cut(): void {
    this.#last = undefined;
    this.#isWhole = false;
    this.#clock = new Clock();
    this.#lasting = undefined;
    this.#sessions = new Map();
  }

  #boot(): void {
    this.end();
    this.#isWhole = true;
    this.#clock.beginBoot();
    this.#sessions = new Map();
  }

  #begin(intent: OpenIntent): void {
    const [oldest] = this.#open.keys();
    if (this.#open.size >= MAX_OPEN && oldest !== undefined) this.#reportOrphan(oldest);
    this.#open.set(intent.at.sequence, intent);
  }

  #reportOrphan(sequence: bigint): void {
    const intent = this.#open.get(sequence);
    this.#open.delete(sequence);
    if (intent === undefined) return;
    const { call, at, record } = intent;
    const { arguments: words } = call;
    this.#judge(record, { at, call, words, isWhole: isOnRecord(call, words), outcome: "", error: ORPHAN }, "intent");
  }

  #end(record: AuditRecord, at: RecordPlace, call: CallRecord): void {
    const intent = this.#open.get(call.intent);
    this.#open.delete(call.intent);
    const words = intent?.call.arguments ?? call.arguments;
    const isUncut = intent !== undefined || call.sent || Buffer.byteLength(words) <= MAX_WHOLE_BYTES;
    const isWhole = isUncut && isOnRecord(call, words);
    this.#judge(record, { at, call, words, isWhole, outcome: call.outcome, error: call.error }, "outcome");
  }

  #judge(record: AuditRecord, told: Told, kind: "intent" | "outcome"): void {
    const { call, words, isWhole } = told;
    const isSamePolicy = this.#isSame(record);
    const walk = this.#walkOf(call.session);
    this.#tell(
      told,
      walk.call({ call, arguments: isWhole ? words : undefined, isIntent: kind === "intent", isSamePolicy }),
    );
  }

  #isSame({ policyDigest }: AuditRecord): boolean {
    return Buffer.compare(policyDigest, this.#digest) === 0;
  }

  #hear(
    record: AuditRecord,
    at: RecordPlace,
    { name: session, event, detail }: { readonly name: string; readonly event: string; readonly detail: string },
  ): void {
    const heard = parseEvent(event, detail);
    if (heard === undefined) return;
    const walk = this.#walkOf(session);
    if (heard.kind === "step") this.#step(at, session, heard, walk);
    else walk.hear(heard, this.#isSame(record) ? "same" : "other");
  }

  #step(at: RecordPlace, session: string, { step, was }: StepEvent, walk: SessionWalk): void {
    if (was === undefined) return;
    const walked = walk.step(step, was);
    const { task, phase, isTask } = step;
    this.#each({
      ...assembleFinding(walked),
      at,
      kind: "step",
      session,
      place: [session, task, phase].filter((part) => part !== "").join("."),
      conversation: "",
      turn: 0,
      tool: isTask ? `/task ${task}` : `/phase ${phase}`,
      arguments: "",
      isWhole: true,
      isWithheld: false,
      recorded: { decision: "", outcome: "", error: was.isMade ? "" : was.words, rule: "", principal: "" },
    });
  }

  #tell({ at, call, words, isWhole, outcome, error }: Told, walked: ReplayedDecision): void {
    const { session, conversation, turn, decision, rule, principal, descriptor } = call;
    this.#each({
      ...assembleFinding(walked),
      at,
      kind: "call",
      session,
      place: this.#placeOf(session, walked),
      conversation,
      turn,
      tool: descriptor.name,
      arguments: words,
      isWhole,
      isWithheld: call.isWithheld,
      recorded: { decision, outcome, error, rule, principal },
    });
  }

  #placeOf(session: string, { standing: { rows } }: ReplayedDecision): string {
    const row = rows.length === 1 ? this.#tables.rows[rows[0] ?? -1] : undefined;
    return row === undefined ? session : formatRowPath(row);
  }

  #walkOf(session: string): SessionWalk {
    const known = this.#sessions.get(session);
    if (known !== undefined) return known;
    const lasting = this.#lasting ?? createLasting(this.#clock, "partial");
    const walk = new SessionWalk(this.#tables, session, { isWhole: this.#isWhole, clock: this.#clock, lasting });
    this.#sessions.set(session, walk);
    return walk;
  }
}

type StepEvent = Extract<SessionEvent, { kind: "step" }>;

/** Returns whether a record contains the arguments, neither withheld nor masked. */
function isOnRecord(call: CallRecord, words: string): boolean {
  return !call.isWithheld && !isMasked(call, words);
}

/**
 * Returns whether the arguments were masked after recording. If the mode of a call was decided, its arguments were
 * recorded as canonical JSON. So if they are not valid JSON, they were masked later.
 */
function isMasked({ decision, outcome }: CallRecord, words: string): boolean {
  const isAsReceived = decision === "notReached" && (outcome === "invalidArguments" || outcome === "unknownTool");
  return !isAsReceived && !canonicalizeArguments(words).ok;
}

/**
 * Returns whether the replayed policy may be looser than the recorded decision. If a result was withheld, each answer
 * that allows the call may reveal it.
 */
function mayLoosen(was: DecidedOutcome, now: Open): boolean {
  return now.answers.some((one) => isLooser(one, was.answer) || (was.withheld === true && !isRefusal(one)));
}

interface Told {
  readonly at: RecordPlace;
  readonly call: CallRecord;
  readonly words: string;
  readonly isWhole: boolean;
  readonly outcome: CallRecord["outcome"] | "";
  readonly error: string;
}

function assembleFinding({
  standing,
  was,
  now,
}: ReplayedDecision): Pick<Finding, "standing" | "was" | "now" | "direction" | "mayWiden"> {
  if (was.kind === "beyond" || now === undefined) return { standing, was, now, direction: undefined, mayWiden: false };
  const direction = now.kind === "settled" ? classifyChange(was, now) : undefined;
  return {
    standing,
    was,
    now,
    direction,
    mayWiden: now.kind === "settled" ? isWidened(was, now) : mayLoosen(was, now),
  };
}
