// Types of answers: one result for each action, or one failure for the whole request. The meaning of a code never changes.

import type { Action, ForeignAction } from "./plan.ts";

/** Codes for a request that failed as a whole: none of its actions was executed. */
export type RequestCode =
  | "request_too_large"
  | "request_timed_out"
  | "parse_failed"
  | "validation_failed"
  | "mode_invalid"
  | "audit_failed";

/** Codes of one action. */
export type ActionCode =
  | "policy_denied"
  | "confirmation_required"
  | "confirmation_invalid"
  | "exec_failed"
  | "exec_timed_out"
  | "exit_status"
  | "read_failed"
  | "write_failed"
  | "not_run";

export interface FailureAnswer {
  readonly ok: false;
  readonly request_id?: string;
  readonly session_id?: string;
  readonly error: { readonly code: RequestCode; readonly message: string };
}

export interface Answer {
  readonly ok: true;
  readonly request_id: string;
  readonly session_id?: string;
  /** False if the plan was only checked (`plan_only`). */
  readonly executed: boolean;
  /** One result for each action, in the order of the actions. */
  readonly results: readonly Result[];
}

export interface ActionFault {
  readonly code: ActionCode;
  readonly message: string;
}

export type Result = RefusalAnswer | Planned | Pong | ExecAnswer | ReadAnswer | WriteAnswer;

export interface RefusalAnswer {
  readonly type: (Action | ForeignAction)["type"];
  readonly ok: false;
  readonly error: ActionFault;
}

/** Result of an action in a plan that is only checked: whether it would need a confirmation. */
interface Planned {
  readonly type: RefusalAnswer["type"];
  readonly ok: true;
  readonly needs_confirmation: boolean;
}

interface Pong {
  readonly type: "ping";
  readonly ok: true;
}

export interface ExecAnswer {
  readonly type: "exec";
  readonly ok: boolean;
  readonly stdout: string;
  readonly stderr: string;
  readonly stdout_truncated: boolean;
  readonly stderr_truncated: boolean;
  /** Exit status of the program; null if a signal ended it. */
  readonly exit_code: number | null;
  readonly error?: ActionFault;
}

export interface ReadAnswer {
  readonly type: "read_file";
  readonly ok: true;
  readonly content_base64: string;
  /** Whether the file is longer than requested. */
  readonly truncated: boolean;
}

export interface WriteAnswer {
  readonly type: "write_file";
  readonly ok: true;
  /** Paths of the created or changed files. */
  readonly artifacts: readonly string[];
  /** Size of the old file in bytes; null if the file is new. Absent in an image, where llm-osd has no access to the files. */
  readonly bytes_before?: number | null;
  readonly bytes_after: number;
}
