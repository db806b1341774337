// Generated from ledger.capnp by `npm run generate`. Do not edit.

import { bool, bytes, capabilityOf, enumeration, field, list, method, of, struct, text, type EnumLayout, type StructLayout, uint16, uint64 } from "../layout.ts";

export type ApprovalState = "pending" | "approved" | "denied" | "used" | "void";

export const ApprovalState: EnumLayout<ApprovalState> = /* @__PURE__ */ enumeration("ApprovalState", ["pending", "approved", "denied", "used", "void"]);

export type EventKind = "submitted" | "status" | "stepStarted" | "stepEnded" | "asked" | "answered" | "decided" | "archived" | "purged";

export const EventKind: EnumLayout<EventKind> = /* @__PURE__ */ enumeration("EventKind", ["submitted", "status", "stepStarted", "stepEnded", "asked", "answered", "decided", "archived", "purged"]);

/** What the log of the machine shows of a step that was interrupted. */
export type Finding = "notRun" | "ran" | "unknown";

export const Finding: EnumLayout<Finding> = /* @__PURE__ */ enumeration("Finding", ["notRun", "ran", "unknown"]);

export type StepKind = "read" | "change" | "model";

export const StepKind: EnumLayout<StepKind> = /* @__PURE__ */ enumeration("StepKind", ["read", "change", "model"]);

export type StepState = "started" | "done" | "failed" | "unknown" | "abandoned";

export const StepState: EnumLayout<StepState> = /* @__PURE__ */ enumeration("StepState", ["started", "done", "failed", "unknown", "abandoned"]);

/** Reasons that a process may give for a new status of a task. */
export type TaskCause = "block" | "finish" | "accept" | "reject" | "fail" | "cancel";

export const TaskCause: EnumLayout<TaskCause> = /* @__PURE__ */ enumeration("TaskCause", ["block", "finish", "accept", "reject", "fail", "cancel"]);

export type TaskStatus = "open" | "blocked" | "needsApproval" | "reviewing" | "done" | "failed" | "cancelled" | "expired";

export const TaskStatus: EnumLayout<TaskStatus> = /* @__PURE__ */ enumeration("TaskStatus", ["open", "blocked", "needsApproval", "reviewing", "done", "failed", "cancelled", "expired"]);

export interface ApprovalAnswer {
  readonly principal: string;
  readonly approves: boolean;
  /** Where the person answered, for example `console`. */
  readonly surface: string;
  /** MAC of the broker over the answer: the ledger cannot make one. */
  readonly mac: Uint8Array;
  /** Set by the ledger. */
  readonly at: bigint;
}

export const ApprovalAnswer: StructLayout<ApprovalAnswer> = /* @__PURE__ */ struct({ name: "ApprovalAnswer", id: 0xb3e2857a7db5c0ean, sizes: [2, 3], shape: () => ({
  fields: [
    field("principal", text, 0),
    field("approves", bool, 0),
    field("surface", text, 1),
    field("mac", bytes, 2),
    field("at", uint64, 1),
  ],
}) });

export interface ApprovalFacts {
  readonly id: bigint;
  readonly task: bigint;
  readonly state: ApprovalState;
  /** Why the approval was denied or is void; empty otherwise. */
  readonly reason: string;
  readonly question: ApprovalQuestion;
  readonly asked: bigint;
  /** Number of the step that used the approval; 0 if none did. */
  readonly step: bigint;
}

export const ApprovalFacts: StructLayout<ApprovalFacts> = /* @__PURE__ */ struct({ name: "ApprovalFacts", id: 0xb253beab7a7adf4cn, sizes: [5, 2], shape: () => ({
  fields: [
    field("id", uint64, 0),
    field("task", uint64, 1),
    field("state", ApprovalState, 8),
    field("reason", text, 0),
    field("question", of(() => ApprovalQuestion), 1),
    field("asked", uint64, 3),
    field("step", uint64, 4),
  ],
}) });

export interface ApprovalQuestion {
  readonly tool: string;
  /** SHA-256 of the canonical call. */
  readonly call: Uint8Array;
  /** Canonical arguments, which people see. */
  readonly arguments: Uint8Array;
  readonly policy: Uint8Array;
  readonly label: Uint8Array;
  /** Principals who may answer. */
  readonly askedOf: readonly string[];
  /** Number of principals who must approve. */
  readonly quorum: number;
  /** Time from which the approval counts as denied. */
  readonly deadline: bigint;
}

export const ApprovalQuestion: StructLayout<ApprovalQuestion> = /* @__PURE__ */ struct({ name: "ApprovalQuestion", id: 0xc0e126d8015fb3a1n, sizes: [2, 6], shape: () => ({
  fields: [
    field("tool", text, 0),
    field("call", bytes, 1),
    field("arguments", bytes, 2),
    field("policy", bytes, 3),
    field("label", bytes, 4),
    field("askedOf", list(text), 5),
    field("quorum", uint16, 0),
    field("deadline", uint64, 1),
  ],
}) });

export interface LedgerEvent {
  readonly at: bigint;
  readonly task: bigint;
  readonly kind: EventKind;
  readonly label: Uint8Array;
  readonly body: string;
}

export const LedgerEvent: StructLayout<LedgerEvent> = /* @__PURE__ */ struct({ name: "LedgerEvent", id: 0x8a040d19d8b797fen, sizes: [3, 2], shape: () => ({
  fields: [
    field("at", uint64, 0),
    field("task", uint64, 1),
    field("kind", EventKind, 8),
    field("label", bytes, 0),
    field("body", text, 1),
  ],
}) });

export interface StepFacts {
  readonly task: bigint;
  /** In the task, from 1. */
  readonly number: bigint;
  readonly state: StepState;
  readonly start: StepStart;
  /** Result, or the reason of a failure; empty before the end. */
  readonly result: Uint8Array;
  /** Run of the ledger in which the step started. */
  readonly run: bigint;
  readonly started: bigint;
  /** 0 before the end. */
  readonly ended: bigint;
}

export const StepFacts: StructLayout<StepFacts> = /* @__PURE__ */ struct({ name: "StepFacts", id: 0xe2ee3ace0369e20fn, sizes: [6, 2], shape: () => ({
  fields: [
    field("task", uint64, 0),
    field("number", uint64, 1),
    field("state", StepState, 8),
    field("start", of(() => StepStart), 0),
    field("result", bytes, 1),
    field("run", uint64, 3),
    field("started", uint64, 4),
    field("ended", uint64, 5),
  ],
}) });

export interface StepStart {
  readonly kind: StepKind;
  /** Tool, or backend of a model's answer. */
  readonly what: string;
  /** SHA-256 of the canonical call. */
  readonly call: Uint8Array;
}

export const StepStart: StructLayout<StepStart> = /* @__PURE__ */ struct({ name: "StepStart", id: 0x852429cd7d0ea63an, sizes: [1, 2], shape: () => ({
  fields: [
    field("kind", StepKind, 0),
    field("what", text, 0),
    field("call", bytes, 1),
  ],
}) });

/** A request for a task. The interface says whose session it is. */
export interface Submission {
  /** Name of the task on the page. */
  readonly name: string;
  readonly request: string;
  /** Principal who requested the task; empty if no person did. */
  readonly requester: string;
  /** `console`, or the name of an ingress on the page. */
  readonly ingress: string;
  /** SHA-256 of the policy tables. */
  readonly policy: Uint8Array;
  readonly label: Uint8Array;
  readonly model: string;
  readonly harness: string;
  readonly deadline: bigint;
}

export const Submission: StructLayout<Submission> = /* @__PURE__ */ struct({ name: "Submission", id: 0xcd087a7f7e3e0bb5n, sizes: [1, 8], shape: () => ({
  fields: [
    field("name", text, 0),
    field("request", text, 1),
    field("requester", text, 2),
    field("ingress", text, 3),
    field("policy", bytes, 4),
    field("label", bytes, 5),
    field("model", text, 6),
    field("harness", text, 7),
    field("deadline", uint64, 0),
  ],
}) });

export interface TaskDeskAnswerParams {
  readonly approval: bigint;
  readonly answer: ApprovalAnswer;
}

export const TaskDeskAnswerParams: StructLayout<TaskDeskAnswerParams> = /* @__PURE__ */ struct({ name: "TaskDeskAnswerParams", id: 0xc2ab5006eba549aen, sizes: [1, 1], shape: () => ({
  fields: [
    field("approval", uint64, 0),
    field("answer", of(() => ApprovalAnswer), 0),
  ],
}) });

export interface TaskDeskAnswerResults {
  readonly state: ApprovalState;
}

export const TaskDeskAnswerResults: StructLayout<TaskDeskAnswerResults> = /* @__PURE__ */ struct({ name: "TaskDeskAnswerResults", id: 0xe011078be9994bd3n, sizes: [1, 0], shape: () => ({
  fields: [
    field("state", ApprovalState, 0),
  ],
}) });

export interface TaskDeskApprovalsParams {
  readonly most: number;
}

export const TaskDeskApprovalsParams: StructLayout<TaskDeskApprovalsParams> = /* @__PURE__ */ struct({ name: "TaskDeskApprovalsParams", id: 0xb33ab7ae0378bd2dn, sizes: [1, 0], shape: () => ({
  fields: [
    field("most", uint16, 0),
  ],
}) });

export interface TaskDeskApprovalsResults {
  readonly approvals: readonly ApprovalFacts[];
}

export const TaskDeskApprovalsResults: StructLayout<TaskDeskApprovalsResults> = /* @__PURE__ */ struct({ name: "TaskDeskApprovalsResults", id: 0xfb6ce44129b8abe0n, sizes: [0, 1], shape: () => ({
  fields: [
    field("approvals", list(of(() => ApprovalFacts)), 0),
  ],
}) });

export interface TaskDeskCancelParams {
  readonly number: bigint;
  readonly reason: string;
}

export const TaskDeskCancelParams: StructLayout<TaskDeskCancelParams> = /* @__PURE__ */ struct({ name: "TaskDeskCancelParams", id: 0xa6e23efe0896cdc5n, sizes: [1, 1], shape: () => ({
  fields: [
    field("number", uint64, 0),
    field("reason", text, 0),
  ],
}) });

export interface TaskDeskCancelResults {}

export const TaskDeskCancelResults: StructLayout<TaskDeskCancelResults> = /* @__PURE__ */ struct({ name: "TaskDeskCancelResults", id: 0x827fb48b51ad8206n, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface TaskDeskCloseParams {
  readonly number: bigint;
  readonly purge: boolean;
}

export const TaskDeskCloseParams: StructLayout<TaskDeskCloseParams> = /* @__PURE__ */ struct({ name: "TaskDeskCloseParams", id: 0x8042ff4f723e89d8n, sizes: [2, 0], shape: () => ({
  fields: [
    field("number", uint64, 0),
    field("purge", bool, 64),
  ],
}) });

export interface TaskDeskCloseResults {}

export const TaskDeskCloseResults: StructLayout<TaskDeskCloseResults> = /* @__PURE__ */ struct({ name: "TaskDeskCloseResults", id: 0xf5ed81ed0ecab72en, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface TaskDeskEventsParams {
  readonly cursor: Uint8Array;
}

export const TaskDeskEventsParams: StructLayout<TaskDeskEventsParams> = /* @__PURE__ */ struct({ name: "TaskDeskEventsParams", id: 0xa08fcf93fc2d94f0n, sizes: [0, 1], shape: () => ({
  fields: [
    field("cursor", bytes, 0),
  ],
}) });

export interface TaskDeskEventsResults {
  readonly events: readonly LedgerEvent[];
  readonly cursor: Uint8Array;
  readonly hasMore: boolean;
}

export const TaskDeskEventsResults: StructLayout<TaskDeskEventsResults> = /* @__PURE__ */ struct({ name: "TaskDeskEventsResults", id: 0xca48d5ba6a0a81a6n, sizes: [1, 2], shape: () => ({
  fields: [
    field("events", list(of(() => LedgerEvent)), 0),
    field("cursor", bytes, 1),
    field("hasMore", bool, 0),
  ],
}) });

export interface TaskDeskListParams {
  readonly before: bigint;
  readonly most: number;
}

export const TaskDeskListParams: StructLayout<TaskDeskListParams> = /* @__PURE__ */ struct({ name: "TaskDeskListParams", id: 0x9f55fc9b3c4a768en, sizes: [2, 0], shape: () => ({
  fields: [
    field("before", uint64, 0),
    field("most", uint16, 4),
  ],
}) });

export interface TaskDeskListResults {
  readonly tasks: readonly TaskFacts[];
}

export const TaskDeskListResults: StructLayout<TaskDeskListResults> = /* @__PURE__ */ struct({ name: "TaskDeskListResults", id: 0xfe72a715f4f06846n, sizes: [0, 1], shape: () => ({
  fields: [
    field("tasks", list(of(() => TaskFacts)), 0),
  ],
}) });

export interface TaskDeskResolveParams {
  readonly number: bigint;
  readonly step: bigint;
  readonly happened: boolean;
  readonly by: string;
  readonly note: string;
}

export const TaskDeskResolveParams: StructLayout<TaskDeskResolveParams> = /* @__PURE__ */ struct({ name: "TaskDeskResolveParams", id: 0xa8a0c26e6726fbc9n, sizes: [3, 2], shape: () => ({
  fields: [
    field("number", uint64, 0),
    field("step", uint64, 1),
    field("happened", bool, 128),
    field("by", text, 0),
    field("note", text, 1),
  ],
}) });

export interface TaskDeskResolveResults {}

export const TaskDeskResolveResults: StructLayout<TaskDeskResolveResults> = /* @__PURE__ */ struct({ name: "TaskDeskResolveResults", id: 0x980b79fd49ab665en, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface TaskDeskShowParams {
  readonly number: bigint;
}

export const TaskDeskShowParams: StructLayout<TaskDeskShowParams> = /* @__PURE__ */ struct({ name: "TaskDeskShowParams", id: 0xa3da74f21930be90n, sizes: [1, 0], shape: () => ({
  fields: [
    field("number", uint64, 0),
  ],
}) });

export interface TaskDeskShowResults {
  readonly task: TaskFacts;
  readonly steps: readonly StepFacts[];
  readonly approvals: readonly ApprovalFacts[];
}

export const TaskDeskShowResults: StructLayout<TaskDeskShowResults> = /* @__PURE__ */ struct({ name: "TaskDeskShowResults", id: 0x891ead8e1cce590fn, sizes: [0, 3], shape: () => ({
  fields: [
    field("task", of(() => TaskFacts), 0),
    field("steps", list(of(() => StepFacts)), 1),
    field("approvals", list(of(() => ApprovalFacts)), 2),
  ],
}) });

export interface TaskDeskSubmitParams {
  readonly submission: Submission;
}

export const TaskDeskSubmitParams: StructLayout<TaskDeskSubmitParams> = /* @__PURE__ */ struct({ name: "TaskDeskSubmitParams", id: 0xe9de275b76eac2e1n, sizes: [0, 1], shape: () => ({
  fields: [
    field("submission", of(() => Submission), 0),
  ],
}) });

export interface TaskDeskSubmitResults {
  readonly id: bigint;
  readonly number: bigint;
}

export const TaskDeskSubmitResults: StructLayout<TaskDeskSubmitResults> = /* @__PURE__ */ struct({ name: "TaskDeskSubmitResults", id: 0xbf2d76ff19eccfedn, sizes: [2, 0], shape: () => ({
  fields: [
    field("id", uint64, 0),
    field("number", uint64, 1),
  ],
}) });

export interface TaskDeskTakeUpParams {
  readonly number: bigint;
  readonly policy: Uint8Array;
}

export const TaskDeskTakeUpParams: StructLayout<TaskDeskTakeUpParams> = /* @__PURE__ */ struct({ name: "TaskDeskTakeUpParams", id: 0xccb20733464b9a14n, sizes: [1, 1], shape: () => ({
  fields: [
    field("number", uint64, 0),
    field("policy", bytes, 0),
  ],
}) });

export interface TaskDeskTakeUpResults {
  readonly status: TaskStatus;
}

export const TaskDeskTakeUpResults: StructLayout<TaskDeskTakeUpResults> = /* @__PURE__ */ struct({ name: "TaskDeskTakeUpResults", id: 0xd4cd86d69bfd84acn, sizes: [1, 0], shape: () => ({
  fields: [
    field("status", TaskStatus, 0),
  ],
}) });

export interface TaskFacts {
  readonly id: bigint;
  readonly session: string;
  /** Number of the task in its session, from 1. */
  readonly number: bigint;
  readonly status: TaskStatus;
  /** Why the task is blocked, failed, cancelled or expired; empty in other statuses. */
  readonly reason: string;
  readonly submission: Submission;
  /** The request as the harness understood it; empty until it is known. */
  readonly objective: string;
  readonly created: bigint;
  readonly changed: bigint;
  /** Number of messages of the history. */
  readonly messages: bigint;
  readonly isArchived: boolean;
}

export const TaskFacts: StructLayout<TaskFacts> = /* @__PURE__ */ struct({ name: "TaskFacts", id: 0xad25d81e67c58d00n, sizes: [6, 4], shape: () => ({
  fields: [
    field("id", uint64, 0),
    field("session", text, 0),
    field("number", uint64, 1),
    field("status", TaskStatus, 8),
    field("reason", text, 1),
    field("submission", of(() => Submission), 2),
    field("objective", text, 3),
    field("created", uint64, 3),
    field("changed", uint64, 4),
    field("messages", uint64, 5),
    field("isArchived", bool, 144),
  ],
}) });

export interface TaskHostAssignParams {
  readonly worker: string;
  readonly task: bigint;
}

export const TaskHostAssignParams: StructLayout<TaskHostAssignParams> = /* @__PURE__ */ struct({ name: "TaskHostAssignParams", id: 0xc61aa574ce198bc1n, sizes: [1, 1], shape: () => ({
  fields: [
    field("worker", text, 0),
    field("task", uint64, 0),
  ],
}) });

export interface TaskHostAssignResults {
  readonly task: TaskFacts;
}

export const TaskHostAssignResults: StructLayout<TaskHostAssignResults> = /* @__PURE__ */ struct({ name: "TaskHostAssignResults", id: 0xff84c8ef6f223f75n, sizes: [0, 1], shape: () => ({
  fields: [
    field("task", of(() => TaskFacts), 0),
  ],
}) });

export interface TaskHostBeginScheduleParams {
  readonly name: string;
}

export const TaskHostBeginScheduleParams: StructLayout<TaskHostBeginScheduleParams> = /* @__PURE__ */ struct({ name: "TaskHostBeginScheduleParams", id: 0x8c5c52738ff4f255n, sizes: [0, 1], shape: () => ({
  fields: [
    field("name", text, 0),
  ],
}) });

export interface TaskHostBeginScheduleResults {
  readonly through: bigint;
}

export const TaskHostBeginScheduleResults: StructLayout<TaskHostBeginScheduleResults> = /* @__PURE__ */ struct({ name: "TaskHostBeginScheduleResults", id: 0xbc13bcccf1c7392en, sizes: [1, 0], shape: () => ({
  fields: [
    field("through", uint64, 0),
  ],
}) });

export interface TaskHostChangeParams {
  readonly task: bigint;
  readonly cause: TaskCause;
  readonly reason: string;
}

export const TaskHostChangeParams: StructLayout<TaskHostChangeParams> = /* @__PURE__ */ struct({ name: "TaskHostChangeParams", id: 0xbe811343983260c9n, sizes: [2, 1], shape: () => ({
  fields: [
    field("task", uint64, 0),
    field("cause", TaskCause, 4),
    field("reason", text, 0),
  ],
}) });

export interface TaskHostChangeResults {
  readonly status: TaskStatus;
}

export const TaskHostChangeResults: StructLayout<TaskHostChangeResults> = /* @__PURE__ */ struct({ name: "TaskHostChangeResults", id: 0x8bea5bb97cfe82e7n, sizes: [1, 0], shape: () => ({
  fields: [
    field("status", TaskStatus, 0),
  ],
}) });

export interface TaskHostExpireParams {}

export const TaskHostExpireParams: StructLayout<TaskHostExpireParams> = /* @__PURE__ */ struct({ name: "TaskHostExpireParams", id: 0xcff417dac1d97b7cn, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface TaskHostExpireResults {
  readonly changed: bigint;
  readonly at: bigint;
}

export const TaskHostExpireResults: StructLayout<TaskHostExpireResults> = /* @__PURE__ */ struct({ name: "TaskHostExpireResults", id: 0xdcf6a0c38addb80en, sizes: [2, 0], shape: () => ({
  fields: [
    field("changed", uint64, 0),
    field("at", uint64, 1),
  ],
}) });

export interface TaskHostInterruptedParams {
  readonly most: number;
}

export const TaskHostInterruptedParams: StructLayout<TaskHostInterruptedParams> = /* @__PURE__ */ struct({ name: "TaskHostInterruptedParams", id: 0xcb2fa0436b3f8156n, sizes: [1, 0], shape: () => ({
  fields: [
    field("most", uint16, 0),
  ],
}) });

export interface TaskHostInterruptedResults {
  readonly steps: readonly StepFacts[];
}

export const TaskHostInterruptedResults: StructLayout<TaskHostInterruptedResults> = /* @__PURE__ */ struct({ name: "TaskHostInterruptedResults", id: 0xc070e8c4b3d99fcfn, sizes: [0, 1], shape: () => ({
  fields: [
    field("steps", list(of(() => StepFacts)), 0),
  ],
}) });

export interface TaskHostOpenParams {
  readonly after: bigint;
  readonly most: number;
}

export const TaskHostOpenParams: StructLayout<TaskHostOpenParams> = /* @__PURE__ */ struct({ name: "TaskHostOpenParams", id: 0x8ebeaf88f0a76477n, sizes: [2, 0], shape: () => ({
  fields: [
    field("after", uint64, 0),
    field("most", uint16, 4),
  ],
}) });

export interface TaskHostOpenResults {
  readonly tasks: readonly TaskFacts[];
}

export const TaskHostOpenResults: StructLayout<TaskHostOpenResults> = /* @__PURE__ */ struct({ name: "TaskHostOpenResults", id: 0xaf4b41a11ccc5da6n, sizes: [0, 1], shape: () => ({
  fields: [
    field("tasks", list(of(() => TaskFacts)), 0),
  ],
}) });

export interface TaskHostReconcileParams {
  readonly task: bigint;
  readonly number: bigint;
  readonly finding: Finding;
}

export const TaskHostReconcileParams: StructLayout<TaskHostReconcileParams> = /* @__PURE__ */ struct({ name: "TaskHostReconcileParams", id: 0xfa0f1922920db2c7n, sizes: [3, 0], shape: () => ({
  fields: [
    field("task", uint64, 0),
    field("number", uint64, 1),
    field("finding", Finding, 8),
  ],
}) });

export interface TaskHostReconcileResults {
  readonly state: StepState;
}

export const TaskHostReconcileResults: StructLayout<TaskHostReconcileResults> = /* @__PURE__ */ struct({ name: "TaskHostReconcileResults", id: 0xb44e2161a120bba4n, sizes: [1, 0], shape: () => ({
  fields: [
    field("state", StepState, 0),
  ],
}) });

export interface TaskHostSubmitRunsParams {
  readonly session: string;
  readonly name: string;
  readonly from: bigint;
  readonly through: bigint;
  readonly count: number;
  readonly submission: Submission;
}

export const TaskHostSubmitRunsParams: StructLayout<TaskHostSubmitRunsParams> = /* @__PURE__ */ struct({ name: "TaskHostSubmitRunsParams", id: 0xbec69452500c1586n, sizes: [3, 3], shape: () => ({
  fields: [
    field("session", text, 0),
    field("name", text, 1),
    field("from", uint64, 0),
    field("through", uint64, 1),
    field("count", uint16, 8),
    field("submission", of(() => Submission), 2),
  ],
}) });

export interface TaskHostSubmitRunsResults {
  readonly numbers: readonly bigint[];
}

export const TaskHostSubmitRunsResults: StructLayout<TaskHostSubmitRunsResults> = /* @__PURE__ */ struct({ name: "TaskHostSubmitRunsResults", id: 0xb7defb87128f2c1an, sizes: [0, 1], shape: () => ({
  fields: [
    field("numbers", list(uint64), 0),
  ],
}) });

export interface TaskHostWithdrawParams {
  readonly worker: string;
}

export const TaskHostWithdrawParams: StructLayout<TaskHostWithdrawParams> = /* @__PURE__ */ struct({ name: "TaskHostWithdrawParams", id: 0xa63c5c1c741361can, sizes: [0, 1], shape: () => ({
  fields: [
    field("worker", text, 0),
  ],
}) });

export interface TaskHostWithdrawResults {}

export const TaskHostWithdrawResults: StructLayout<TaskHostWithdrawResults> = /* @__PURE__ */ struct({ name: "TaskHostWithdrawResults", id: 0xeba36184aa9d46can, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface TaskMessage {
  /** SHA-256 of the bytes. */
  readonly digest: Uint8Array;
  readonly bytes: Uint8Array;
}

export const TaskMessage: StructLayout<TaskMessage> = /* @__PURE__ */ struct({ name: "TaskMessage", id: 0xcc6b794c98ef205dn, sizes: [0, 2], shape: () => ({
  fields: [
    field("digest", bytes, 0),
    field("bytes", bytes, 1),
  ],
}) });

export interface TaskRecordAppendParams {
  readonly from: bigint;
  readonly messages: readonly TaskMessage[];
}

export const TaskRecordAppendParams: StructLayout<TaskRecordAppendParams> = /* @__PURE__ */ struct({ name: "TaskRecordAppendParams", id: 0xd3e83041eeea7706n, sizes: [1, 1], shape: () => ({
  fields: [
    field("from", uint64, 0),
    field("messages", list(of(() => TaskMessage)), 0),
  ],
}) });

export interface TaskRecordAppendResults {
  readonly count: bigint;
}

export const TaskRecordAppendResults: StructLayout<TaskRecordAppendResults> = /* @__PURE__ */ struct({ name: "TaskRecordAppendResults", id: 0xc5296c2fb586ce55n, sizes: [1, 0], shape: () => ({
  fields: [
    field("count", uint64, 0),
  ],
}) });

export interface TaskRecordApprovalsParams {}

export const TaskRecordApprovalsParams: StructLayout<TaskRecordApprovalsParams> = /* @__PURE__ */ struct({ name: "TaskRecordApprovalsParams", id: 0xb1e836e49fa7c84en, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface TaskRecordApprovalsResults {
  readonly approvals: readonly ApprovalFacts[];
}

export const TaskRecordApprovalsResults: StructLayout<TaskRecordApprovalsResults> = /* @__PURE__ */ struct({ name: "TaskRecordApprovalsResults", id: 0xef55471cd3437dc2n, sizes: [0, 1], shape: () => ({
  fields: [
    field("approvals", list(of(() => ApprovalFacts)), 0),
  ],
}) });

export interface TaskRecordAskParams {
  readonly question: ApprovalQuestion;
}

export const TaskRecordAskParams: StructLayout<TaskRecordAskParams> = /* @__PURE__ */ struct({ name: "TaskRecordAskParams", id: 0xf485c5ca3b43aeban, sizes: [0, 1], shape: () => ({
  fields: [
    field("question", of(() => ApprovalQuestion), 0),
  ],
}) });

export interface TaskRecordAskResults {
  readonly approval: bigint;
}

export const TaskRecordAskResults: StructLayout<TaskRecordAskResults> = /* @__PURE__ */ struct({ name: "TaskRecordAskResults", id: 0x9f84f1a7276de9bbn, sizes: [1, 0], shape: () => ({
  fields: [
    field("approval", uint64, 0),
  ],
}) });

export interface TaskRecordDescribeParams {
  readonly objective: string;
  readonly label: Uint8Array;
}

export const TaskRecordDescribeParams: StructLayout<TaskRecordDescribeParams> = /* @__PURE__ */ struct({ name: "TaskRecordDescribeParams", id: 0xf4ab102386d1fb85n, sizes: [0, 2], shape: () => ({
  fields: [
    field("objective", text, 0),
    field("label", bytes, 1),
  ],
}) });

export interface TaskRecordDescribeResults {}

export const TaskRecordDescribeResults: StructLayout<TaskRecordDescribeResults> = /* @__PURE__ */ struct({ name: "TaskRecordDescribeResults", id: 0xa2fd2d9ae144ca54n, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface TaskRecordEndStepParams {
  readonly number: bigint;
  readonly failed: boolean;
  readonly result: Uint8Array;
}

export const TaskRecordEndStepParams: StructLayout<TaskRecordEndStepParams> = /* @__PURE__ */ struct({ name: "TaskRecordEndStepParams", id: 0xd0f24ca70ed7f987n, sizes: [2, 1], shape: () => ({
  fields: [
    field("number", uint64, 0),
    field("failed", bool, 64),
    field("result", bytes, 0),
  ],
}) });

export interface TaskRecordEndStepResults {}

export const TaskRecordEndStepResults: StructLayout<TaskRecordEndStepResults> = /* @__PURE__ */ struct({ name: "TaskRecordEndStepResults", id: 0x9d9c31ae0fe086dbn, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface TaskRecordFactsParams {}

export const TaskRecordFactsParams: StructLayout<TaskRecordFactsParams> = /* @__PURE__ */ struct({ name: "TaskRecordFactsParams", id: 0xac196c8bae0fecaen, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface TaskRecordFactsResults {
  readonly task: TaskFacts;
}

export const TaskRecordFactsResults: StructLayout<TaskRecordFactsResults> = /* @__PURE__ */ struct({ name: "TaskRecordFactsResults", id: 0xa9951a5eddceaf0cn, sizes: [0, 1], shape: () => ({
  fields: [
    field("task", of(() => TaskFacts), 0),
  ],
}) });

export interface TaskRecordFinishParams {}

export const TaskRecordFinishParams: StructLayout<TaskRecordFinishParams> = /* @__PURE__ */ struct({ name: "TaskRecordFinishParams", id: 0xeecbf6f83a79583cn, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface TaskRecordFinishResults {}

export const TaskRecordFinishResults: StructLayout<TaskRecordFinishResults> = /* @__PURE__ */ struct({ name: "TaskRecordFinishResults", id: 0x89112074b9dfc094n, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface TaskRecordMessagesParams {
  readonly from: bigint;
}

export const TaskRecordMessagesParams: StructLayout<TaskRecordMessagesParams> = /* @__PURE__ */ struct({ name: "TaskRecordMessagesParams", id: 0x8f85155b6532dbf8n, sizes: [1, 0], shape: () => ({
  fields: [
    field("from", uint64, 0),
  ],
}) });

export interface TaskRecordMessagesResults {
  readonly messages: readonly TaskMessage[];
}

export const TaskRecordMessagesResults: StructLayout<TaskRecordMessagesResults> = /* @__PURE__ */ struct({ name: "TaskRecordMessagesResults", id: 0x9364cf2f0f528a4en, sizes: [0, 1], shape: () => ({
  fields: [
    field("messages", list(of(() => TaskMessage)), 0),
  ],
}) });

export interface TaskRecordStartApprovedParams {
  readonly start: StepStart;
  readonly approval: bigint;
  readonly policy: Uint8Array;
  readonly label: Uint8Array;
}

export const TaskRecordStartApprovedParams: StructLayout<TaskRecordStartApprovedParams> = /* @__PURE__ */ struct({ name: "TaskRecordStartApprovedParams", id: 0x9f7170c6adff1678n, sizes: [1, 3], shape: () => ({
  fields: [
    field("start", of(() => StepStart), 0),
    field("approval", uint64, 0),
    field("policy", bytes, 1),
    field("label", bytes, 2),
  ],
}) });

export interface TaskRecordStartApprovedResults {
  readonly number: bigint;
  readonly answers: readonly ApprovalAnswer[];
  readonly voided: string;
}

export const TaskRecordStartApprovedResults: StructLayout<TaskRecordStartApprovedResults> = /* @__PURE__ */ struct({ name: "TaskRecordStartApprovedResults", id: 0xe820d8712da5c4fen, sizes: [1, 2], shape: () => ({
  fields: [
    field("number", uint64, 0),
    field("answers", list(of(() => ApprovalAnswer)), 0),
    field("voided", text, 1),
  ],
}) });

export interface TaskRecordStartStepParams {
  readonly start: StepStart;
}

export const TaskRecordStartStepParams: StructLayout<TaskRecordStartStepParams> = /* @__PURE__ */ struct({ name: "TaskRecordStartStepParams", id: 0x8513d6af7a9f7d9en, sizes: [0, 1], shape: () => ({
  fields: [
    field("start", of(() => StepStart), 0),
  ],
}) });

export interface TaskRecordStartStepResults {
  readonly number: bigint;
}

export const TaskRecordStartStepResults: StructLayout<TaskRecordStartStepResults> = /* @__PURE__ */ struct({ name: "TaskRecordStartStepResults", id: 0xf66e867a9fd05f67n, sizes: [1, 0], shape: () => ({
  fields: [
    field("number", uint64, 0),
  ],
}) });

export interface TaskRecordStepsParams {
  readonly after: bigint;
  readonly most: number;
}

export const TaskRecordStepsParams: StructLayout<TaskRecordStepsParams> = /* @__PURE__ */ struct({ name: "TaskRecordStepsParams", id: 0xa5bc28dae9f60716n, sizes: [2, 0], shape: () => ({
  fields: [
    field("after", uint64, 0),
    field("most", uint16, 4),
  ],
}) });

export interface TaskRecordStepsResults {
  readonly steps: readonly StepFacts[];
}

export const TaskRecordStepsResults: StructLayout<TaskRecordStepsResults> = /* @__PURE__ */ struct({ name: "TaskRecordStepsResults", id: 0x85776792526781b7n, sizes: [0, 1], shape: () => ({
  fields: [
    field("steps", list(of(() => StepFacts)), 0),
  ],
}) });

export interface TaskRecordStopParams {
  readonly cause: TaskCause;
  readonly reason: string;
}

export const TaskRecordStopParams: StructLayout<TaskRecordStopParams> = /* @__PURE__ */ struct({ name: "TaskRecordStopParams", id: 0x8c1fd3e048f0feafn, sizes: [1, 1], shape: () => ({
  fields: [
    field("cause", TaskCause, 0),
    field("reason", text, 0),
  ],
}) });

export interface TaskRecordStopResults {}

export const TaskRecordStopResults: StructLayout<TaskRecordStopResults> = /* @__PURE__ */ struct({ name: "TaskRecordStopResults", id: 0xcc28edbd6da43d1an, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface WorkerBeginParams {}

export const WorkerBeginParams: StructLayout<WorkerBeginParams> = /* @__PURE__ */ struct({ name: "WorkerBeginParams", id: 0xb5497c6ae5f665ben, sizes: [0, 0], shape: () => ({
  fields: [],
}) });

export interface WorkerBeginResults {
  readonly message: string;
}

export const WorkerBeginResults: StructLayout<WorkerBeginResults> = /* @__PURE__ */ struct({ name: "WorkerBeginResults", id: 0xa04d00aff73d982an, sizes: [0, 1], shape: () => ({
  fields: [
    field("message", text, 0),
  ],
}) });

export interface WorkerFinishParams {
  readonly said: string;
  readonly fault: string;
}

export const WorkerFinishParams: StructLayout<WorkerFinishParams> = /* @__PURE__ */ struct({ name: "WorkerFinishParams", id: 0xcf2848ff79742b0fn, sizes: [0, 2], shape: () => ({
  fields: [
    field("said", text, 0),
    field("fault", text, 1),
  ],
}) });

export interface WorkerFinishResults {
  readonly status: TaskStatus;
}

export const WorkerFinishResults: StructLayout<WorkerFinishResults> = /* @__PURE__ */ struct({ name: "WorkerFinishResults", id: 0x82d72b248a43180an, sizes: [1, 0], shape: () => ({
  fields: [
    field("status", TaskStatus, 0),
  ],
}) });

/** Held by the gate of a session, for people's commands. The grant fixes the session. */
export const TaskDesk = /* @__PURE__ */ capabilityOf("TaskDesk", 0xbebb21faf05c77c7n, {
  submit: /* @__PURE__ */ method({ interfaceId: 0xbebb21faf05c77c7n, ordinal: 0, name: "submit", params: TaskDeskSubmitParams, results: TaskDeskSubmitResults }),
  /** Tasks with a number below `before`, the newest first; 0: from the newest on. */
  list: /* @__PURE__ */ method({ interfaceId: 0xbebb21faf05c77c7n, ordinal: 1, name: "list", params: TaskDeskListParams, results: TaskDeskListResults }),
  /** steps: the newest ones that fit. */
  show: /* @__PURE__ */ method({ interfaceId: 0xbebb21faf05c77c7n, ordinal: 2, name: "show", params: TaskDeskShowParams, results: TaskDeskShowResults }),
  /** Pending approvals of the session, the oldest first. */
  approvals: /* @__PURE__ */ method({ interfaceId: 0xbebb21faf05c77c7n, ordinal: 3, name: "approvals", params: TaskDeskApprovalsParams, results: TaskDeskApprovalsResults }),
  /** The first answer of each principal counts. */
  answer: /* @__PURE__ */ method({ interfaceId: 0xbebb21faf05c77c7n, ordinal: 4, name: "answer", params: TaskDeskAnswerParams, results: TaskDeskAnswerResults }),
  cancel: /* @__PURE__ */ method({ interfaceId: 0xbebb21faf05c77c7n, ordinal: 5, name: "cancel", params: TaskDeskCancelParams, results: TaskDeskCancelResults }),
  /** Continues a blocked task under the present tables. */
  takeUp: /* @__PURE__ */ method({ interfaceId: 0xbebb21faf05c77c7n, ordinal: 6, name: "takeUp", params: TaskDeskTakeUpParams, results: TaskDeskTakeUpResults }),
  /** Records what a person states about a step that is `unknown`. */
  resolve: /* @__PURE__ */ method({ interfaceId: 0xbebb21faf05c77c7n, ordinal: 7, name: "resolve", params: TaskDeskResolveParams, results: TaskDeskResolveResults }),
  /** Hides an ended task from lists, or removes it. */
  close: /* @__PURE__ */ method({ interfaceId: 0xbebb21faf05c77c7n, ordinal: 8, name: "close", params: TaskDeskCloseParams, results: TaskDeskCloseResults }),
  /** Events after this cursor; empty: from the first one on. */
  events: /* @__PURE__ */ method({ interfaceId: 0xbebb21faf05c77c7n, ordinal: 9, name: "events", params: TaskDeskEventsParams, results: TaskDeskEventsResults }),
});

/** Held by the host, which runs tasks. */
export const TaskHost = /* @__PURE__ */ capabilityOf("TaskHost", 0xc153f7d9e04b2033n, {
  /** Tasks of all sessions that have not ended, with an id above `after`, in the order of their ids. */
  open: /* @__PURE__ */ method({ interfaceId: 0xc153f7d9e04b2033n, ordinal: 0, name: "open", params: TaskHostOpenParams, results: TaskHostOpenResults }),
  /** cause: `block`, `accept`, `reject` or `fail`. */
  change: /* @__PURE__ */ method({ interfaceId: 0xc153f7d9e04b2033n, ordinal: 1, name: "change", params: TaskHostChangeParams, results: TaskHostChangeResults }),
  /** Steps that the end of an earlier run of the ledger interrupted. */
  interrupted: /* @__PURE__ */ method({ interfaceId: 0xc153f7d9e04b2033n, ordinal: 2, name: "interrupted", params: TaskHostInterruptedParams, results: TaskHostInterruptedResults }),
  /** Settles an interrupted step, as the log of the machine shows. */
  reconcile: /* @__PURE__ */ method({ interfaceId: 0xc153f7d9e04b2033n, ordinal: 3, name: "reconcile", params: TaskHostReconcileParams, results: TaskHostReconcileResults }),
  /** Time up to which the runs of the schedule are handled. A new schedule begins now. */
  beginSchedule: /* @__PURE__ */ method({ interfaceId: 0xc153f7d9e04b2033n, ordinal: 4, name: "beginSchedule", params: TaskHostBeginScheduleParams, results: TaskHostBeginScheduleResults }),
  /** Submits the task once for each run, and handles the schedule up to `through`, or does neither. */
  submitRuns: /* @__PURE__ */ method({ interfaceId: 0xc153f7d9e04b2033n, ordinal: 5, name: "submitRuns", params: TaskHostSubmitRunsParams, results: TaskHostSubmitRunsResults }),
  /** Denies approvals and expires tasks whose deadline has passed. at: the ledger's time. */
  expire: /* @__PURE__ */ method({ interfaceId: 0xc153f7d9e04b2033n, ordinal: 6, name: "expire", params: TaskHostExpireParams, results: TaskHostExpireResults }),
  /**
   * From now on the gate of this worker reaches only this task, which must be open and of the worker's ingress. worker: name of
   * its process, such as `gate.operator.nightly`.
   */
  assign: /* @__PURE__ */ method({ interfaceId: 0xc153f7d9e04b2033n, ordinal: 7, name: "assign", params: TaskHostAssignParams, results: TaskHostAssignResults }),
  /** From now on the gate of this worker reaches no task. */
  withdraw: /* @__PURE__ */ method({ interfaceId: 0xc153f7d9e04b2033n, ordinal: 8, name: "withdraw", params: TaskHostWithdrawParams, results: TaskHostWithdrawResults }),
});

/** Held by the gate of a worker. It reaches the task that the host assigned to this worker; no parameter can name another one. */
export const TaskRecord = /* @__PURE__ */ capabilityOf("TaskRecord", 0xa5baae861a998420n, {
  facts: /* @__PURE__ */ method({ interfaceId: 0xa5baae861a998420n, ordinal: 0, name: "facts", params: TaskRecordFactsParams, results: TaskRecordFactsResults }),
  /** When the number is returned, the start is on the disk, and the effect may begin. */
  startStep: /* @__PURE__ */ method({ interfaceId: 0xa5baae861a998420n, ordinal: 1, name: "startStep", params: TaskRecordStartStepParams, results: TaskRecordStartStepResults }),
  /** Starts a step with an approved call, once. voided: the approval does not fit this call any more, and nothing started. */
  startApproved: /* @__PURE__ */ method({ interfaceId: 0xa5baae861a998420n, ordinal: 2, name: "startApproved", params: TaskRecordStartApprovedParams, results: TaskRecordStartApprovedResults }),
  endStep: /* @__PURE__ */ method({ interfaceId: 0xa5baae861a998420n, ordinal: 3, name: "endStep", params: TaskRecordEndStepParams, results: TaskRecordEndStepResults }),
  /** Steps with a number above `after`, in order, as many as fit into one frame. */
  steps: /* @__PURE__ */ method({ interfaceId: 0xa5baae861a998420n, ordinal: 4, name: "steps", params: TaskRecordStepsParams, results: TaskRecordStepsResults }),
  /** from: the number of messages that the caller knows. If another message was added since, nothing is stored. */
  append: /* @__PURE__ */ method({ interfaceId: 0xa5baae861a998420n, ordinal: 5, name: "append", params: TaskRecordAppendParams, results: TaskRecordAppendResults }),
  /** Messages from this position, in order, as many as fit into one frame. */
  messages: /* @__PURE__ */ method({ interfaceId: 0xa5baae861a998420n, ordinal: 6, name: "messages", params: TaskRecordMessagesParams, results: TaskRecordMessagesResults }),
  describe: /* @__PURE__ */ method({ interfaceId: 0xa5baae861a998420n, ordinal: 7, name: "describe", params: TaskRecordDescribeParams, results: TaskRecordDescribeResults }),
  ask: /* @__PURE__ */ method({ interfaceId: 0xa5baae861a998420n, ordinal: 8, name: "ask", params: TaskRecordAskParams, results: TaskRecordAskResults }),
  approvals: /* @__PURE__ */ method({ interfaceId: 0xa5baae861a998420n, ordinal: 9, name: "approvals", params: TaskRecordApprovalsParams, results: TaskRecordApprovalsResults }),
  /** The worker reports that the work is done; the task is `reviewing` then. */
  finish: /* @__PURE__ */ method({ interfaceId: 0xa5baae861a998420n, ordinal: 10, name: "finish", params: TaskRecordFinishParams, results: TaskRecordFinishResults }),
  /** cause: `block` or `fail`. */
  stop: /* @__PURE__ */ method({ interfaceId: 0xa5baae861a998420n, ordinal: 11, name: "stop", params: TaskRecordStopParams, results: TaskRecordStopResults }),
});

/** Held by the host. Served by the gate of a worker, which runs one task after another. */
export const Worker = /* @__PURE__ */ capabilityOf("Worker", 0xfc3107c6bd119b99n, {
  /**
   * Begins the task that the ledger assigned to this worker, in a conversation of its own. message: what the ingress of the page
   * says, for the loop.
   */
  begin: /* @__PURE__ */ method({ interfaceId: 0xfc3107c6bd119b99n, ordinal: 0, name: "begin", params: WorkerBeginParams, results: WorkerBeginResults }),
  /**
   * The loop has ended its turn. Records what the loop wrote, and ends the task. fault: why the turn did not end by itself; empty
   * otherwise.
   */
  finish: /* @__PURE__ */ method({ interfaceId: 0xfc3107c6bd119b99n, ordinal: 1, name: "finish", params: WorkerFinishParams, results: WorkerFinishResults }),
});
