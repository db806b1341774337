// The rows of the ledger. Text and bytes of models, tools and people are stored unchanged and never interpreted. Times are milliseconds
// since 1970 by the ledger's clock, which never runs backwards.

import type { Status } from "./statuses.ts";

/** A unit of work that outlives a run of the machine. */
export interface Task {
  readonly id: bigint;
  readonly session: string;
  /** Number of the task in its session, from 1. People see this number, and must not learn from it how many tasks other sessions have. */
  readonly number: bigint;
  /** Name of the task on the page. */
  readonly name: string;
  readonly status: Status;
  /** Why the task is blocked, failed, cancelled or expired; empty in other statuses. */
  readonly reason: string;
  readonly request: string;
  /** The request as the harness, the program that works on the task, understood it; empty until the harness states it. */
  readonly objective: string;
  /** Principal who requested the task; empty if no person did. */
  readonly requester: string;
  /** `console`, or the name of an ingress on the page. */
  readonly ingress: string;
  /** SHA-256 of the policy tables under which the task was submitted, or was last continued after it was blocked. */
  readonly policy: Uint8Array;
  /** Label of everything that the task has read, as its gate encodes it. */
  readonly label: Uint8Array;
  readonly model: string;
  /** Version of the harness: a version that reads the task's records differently must not resume the task. */
  readonly harness: string;
  readonly created: bigint;
  readonly changed: bigint;
  /** Time at which the task expires. */
  readonly deadline: bigint;
  /** Number of messages of its history. */
  readonly messages: bigint;
  readonly isArchived: boolean;
}

/** Kinds of steps: a call that only reads, a call that changes something, a model's answer. */
export const STEP_KINDS = ["read", "change", "model"] as const;
export type StepKind = (typeof STEP_KINDS)[number];

/**
 * States of a step. `started`: the step was recorded on the disk, and its effect may have begun. `unknown`: the machine
 * died, and the change may have happened; only a person decides about it. `abandoned`: the machine died, and the step
 * may be started again, because it changed nothing.
 */
export const STEP_STATES = ["started", "done", "failed", "unknown", "abandoned"] as const;
type StepState = (typeof STEP_STATES)[number];

export interface Step {
  readonly task: bigint;
  /** Number of the step in its task, from 1. */
  readonly number: bigint;
  readonly kind: StepKind;
  readonly state: StepState;
  /** Tool, or backend of a model's answer. */
  readonly what: string;
  /** SHA-256 of the canonical call. */
  readonly call: Uint8Array;
  /** Result, or the reason of a failure; empty before the end. */
  readonly result: Uint8Array;
  /** Run of the machine in which the step started. */
  readonly run: bigint;
  readonly started: bigint;
  /** Time at which the step ended; 0 before that. */
  readonly ended: bigint;
}

export const APPROVAL_STATES = ["pending", "approved", "denied", "used", "void"] as const;
/**
 * States of an approval. `used`: a step with the approved call was started. If the audit log shows that this step did
 * not run, the approval becomes `approved` again. `void`: the call can no longer be what people approved, because the
 * tables, the label or the resource changed.
 */
export type ApprovalState = (typeof APPROVAL_STATES)[number];

export interface Approval {
  readonly id: bigint;
  readonly task: bigint;
  readonly state: ApprovalState;
  /** Why the approval was denied or is void; empty otherwise. */
  readonly reason: string;
  readonly tool: string;
  /** SHA-256 of the canonical call, which the broker's MACs cover. */
  readonly call: Uint8Array;
  /** Canonical arguments, which people see. */
  readonly arguments: Uint8Array;
  readonly policy: Uint8Array;
  readonly label: Uint8Array;
  /** Principals who may answer, and how many of them must approve. */
  readonly askedOf: readonly string[];
  readonly quorum: number;
  readonly asked: bigint;
  /** Time from which the approval counts as denied. */
  readonly deadline: bigint;
  /** Number of the step that used the approval; 0 if none did. */
  readonly step: bigint;
}

/** One person's answer to an approval. */
export interface Answer {
  readonly approval: bigint;
  readonly principal: string;
  readonly verdict: "approve" | "deny";
  /** Surface on which the person answered, for example `console`. */
  readonly surface: string;
  /** MAC of the broker over the answer: the ledger cannot make one, so its rows alone allow no call. */
  readonly mac: Uint8Array;
  readonly at: bigint;
}

/** One message of a task's history. The bytes are stored once for each digest. */
export interface Message {
  readonly digest: Uint8Array;
  readonly bytes: Uint8Array;
}

/** Kinds of events, in the order of their numbers in the file. */
export const EVENT_KINDS = [
  "submitted",
  "status",
  "stepStarted",
  "stepEnded",
  "asked",
  "answered",
  "decided",
  "archived",
  "purged",
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** An entry of a session's append-only stream. */
export interface Event {
  /** Number in the session, from 1; a number is never used again. */
  readonly sequence: bigint;
  readonly at: bigint;
  readonly session: string;
  readonly task: bigint;
  readonly kind: EventKind;
  readonly label: Uint8Array;
  /** Description of the change, as text of at most `MOST_BODY` UTF-16 units. */
  readonly body: string;
}
