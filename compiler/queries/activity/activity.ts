import type { Outcome } from "../../../engine/lib/wire/generated/capos.ts";

/** Groups of outcomes. `unknown`: the call was sent, but the log has no outcome, so the call may have run. */
export const GROUPS = ["ok", "denied", "refused", "failed", "unknown"] as const;
export type OutcomeGroup = (typeof GROUPS)[number];

export const GROUP_OF: Readonly<Record<Outcome, OutcomeGroup>> = {
  ok: "ok",
  deniedByUser: "denied",
  stepUpFailed: "denied",
  refusedByPolicy: "refused",
  invalidArguments: "refused",
  unknownTool: "refused",
  executionError: "failed",
  timedOut: "failed",
  cancelled: "failed",
};

/** Summary of the records in a span of a log. Lists are sorted, so that the same records give the same value. */
export interface Activity {
  /** Number of records in the span, of any kind. */
  readonly records: number;
  /**
   * Times of the first and the last record in the span, by the machine's wall clock, in milliseconds since 1970; null
   * if no record has a time.
   */
  readonly first: number | null;
  readonly last: number | null;
  readonly boots: readonly BootActivity[];
  readonly sessions: readonly SessionActivity[];
  readonly tools: readonly ToolActivity[];
  readonly calls: OutcomeCounts;
  /** Number of calls of which the log has only a digest of the arguments, the result or the error. */
  readonly withheld: number;
  readonly timeline: Timeline;
  readonly refusals: readonly Refusal[];
  readonly approvers: readonly Approver[];
  /** Approvals, newest first; at most `MOST_APPROVALS`. */
  readonly approvals: readonly Approval[];
  readonly quotas: readonly QuotaActivity[];
  readonly left: readonly Departure[];
  readonly releases: readonly ReleaseActivity[];
  readonly models: readonly ModelActivity[];
  /** Counts of the events of sessions, such as logins and revocations. */
  readonly events: readonly EventActivity[];
  readonly policies: readonly PolicyActivity[];
}

export const MOST_APPROVALS = 500;

export type OutcomeCounts = Readonly<Record<OutcomeGroup, number>>;

export interface BootActivity {
  readonly sequence: bigint;
  readonly wallMs: number | null;
  readonly system: string;
  readonly version: string;
  /** Number of calls of earlier boots whose effect is unknown. */
  readonly orphans: number;
}

export interface SessionActivity {
  readonly session: string;
  /** Principals who logged in, approved something or made calls; sorted. */
  readonly principals: readonly string[];
  readonly conversations: number;
  readonly tasks: readonly string[];
  readonly calls: OutcomeCounts;
  /** Tools that the session called, by name; at most `MOST_TOOLS`. */
  readonly called: readonly string[];
}

export interface ToolActivity {
  readonly tool: string;
  readonly category: string;
  readonly calls: OutcomeCounts;
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>;
}

export interface Timeline {
  /** Beginning of the first step, in milliseconds since 1970. */
  readonly from: number;
  /** Length of a step in milliseconds; 0 if no call has a time. */
  readonly stepMs: number;
  readonly steps: readonly OutcomeCounts[];
}

export interface Refusal {
  readonly outcome: Outcome;
  readonly reason: string;
  readonly count: number;
  readonly tools: readonly string[];
  /** Sequence number of the newest record of a call with this outcome and reason. */
  readonly sequence: bigint;
}

export interface Approval {
  readonly sequence: bigint;
  readonly wallMs: number | null;
  readonly session: string;
  /** The tool or the step for which approval was requested. A step looks like `/phase mend of task triage`. */
  readonly what: string;
  readonly gate: "consent" | "stepUp";
  readonly isApproved: boolean;
  /** Person who answered; empty if the page requires neither a login nor a signature. */
  readonly principal: string;
  /** Surface on which the person answered; empty in an old log, whose records do not name the surface. */
  readonly surface: string;
  /** Milliseconds until the answer; null in an old log, whose records do not state this time. */
  readonly askedMs: number | null;
}

export interface Approver {
  readonly principal: string;
  readonly surface: string;
  readonly approved: number;
  readonly denied: number;
  /** Shortest time to an answer in milliseconds; null if the log states no such times. */
  readonly fastestMs: number | null;
  readonly medianMs: number | null;
  readonly slowestMs: number | null;
}

interface QuotaActivity {
  readonly session: string;
  readonly quota: string;
  readonly refused: number;
}

/** Calls whose arguments flow only by a label release (`declassify`, `endorse`). */
export interface ReleaseActivity {
  /** Id of the page's line that permits the release. */
  readonly rule: string;
  readonly act: string;
  readonly tool: string;
  /** Label of the conversation, and the label that the arguments have because of the release (`to`). */
  readonly from: string;
  readonly to: string;
  /** Number of calls that were sent because of this release; `attempts` is the number of all calls that needed it. */
  readonly calls: number;
  readonly attempts: number;
  /** Principals who approved the sent calls, sorted; empty names are left out. */
  readonly principals: readonly string[];
  /** Sequence number of the newest record about this release. */
  readonly sequence: bigint;
}

/** Data that left the machine through a tool. */
export interface Departure {
  readonly tool: string;
  /** Origins that the page allows, or that occur in recorded arguments; empty if no origin is known. */
  readonly origins: readonly string[];
  /** Number of calls that ran. `argumentBytes` and `withheld` concern only these calls. */
  readonly calls: number;
  /** Number of calls that were sent and failed, timed out, were cancelled, or have no outcome: their data may have left. */
  readonly unsure: number;
  /** Number of all calls, also of those that were refused and not sent. */
  readonly attempts: number;
  /** Bytes of arguments that are on record. */
  readonly argumentBytes: number;
  /** Number of calls whose arguments are withheld: the log has only their digests. */
  readonly withheld: number;
}

export interface ModelActivity {
  readonly backend: string;
  readonly model: string;
  /** Origins of a remote provider according to the page; empty if the page states none or is unknown. */
  readonly origins: readonly string[];
  readonly answers: number;
  readonly promptTokens: number;
  readonly outputTokens: number;
  /** Bytes of the messages to the model. A message that is sent again for a later answer of its conversation is not counted again. */
  readonly bytes: number;
  /** Number of pieces of text that redactions masked in the messages to the model. */
  readonly masked: number;
}

interface EventActivity {
  readonly session: string;
  readonly event: string;
  readonly count: number;
}

interface PolicyActivity {
  /** SHA-256 of the policy tables, in hexadecimal. */
  readonly digest: string;
  readonly records: number;
}
