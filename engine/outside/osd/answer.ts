// Answers: for each action a result of its own shape, or one failure of the request. Codes never change their meaning.

import type { Action, ForeignAction } from "./plan.ts";

/** Codes of a request that failed as a whole: no further part of it was looked at. */
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
  /** False of a plan that was only looked at. */
  readonly executed: boolean;
  /** One for each action, in their order. */
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

/** Result of an action in a plan that is only looked at: it says whether a confirmation would be needed. */
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
  /** Null where a signal ended it. */
  readonly exit_code: number | null;
  readonly error?: ActionFault;
}

export interface ReadAnswer {
  readonly type: "read_file";
  readonly ok: true;
  readonly content_base64: string;
  /** The file has more than was asked for. */
  readonly truncated: boolean;
}

export interface WriteAnswer {
  readonly type: "write_file";
  readonly ok: true;
  /** Paths that were made or changed. */
  readonly artifacts: readonly string[];
  /** Bytes of the file as it was; null if there was none. Absent in an image, where the executor of a plan does not see files. */
  readonly bytes_before?: number | null;
  readonly bytes_after: number;
}
