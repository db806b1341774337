// Answers: one result for each action, in the form of its type, or one failure of the request. Codes never change their meaning.

import type { Action, ForeignAction } from "./plan.ts";

/** Codes of a request that failed as a whole: none of its actions was decided. */
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
  /** `true` if the actions were executed, `false` if they were only checked. */
  readonly executed: boolean;
  /** One result for each action, in the order of the plan. */
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

/** Result of an action in a plan that is only checked: whether its execution would need a confirmation. */
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
  /** The program's exit status; null if a signal ended the program. */
  readonly exit_code: number | null;
  readonly error?: ActionFault;
}

export interface ReadAnswer {
  readonly type: "read_file";
  readonly ok: true;
  readonly content_base64: string;
  /** Whether the file has more bytes than were requested. */
  readonly truncated: boolean;
}

export interface WriteAnswer {
  readonly type: "write_file";
  readonly ok: true;
  /** Paths of the files that were created or changed. */
  readonly artifacts: readonly string[];
  /**
   * Size of the file before the write in bytes; null if it did not exist. Absent in an image, where the executor of a plan does not
   * see files.
   */
  readonly bytes_before?: number | null;
  readonly bytes_after: number;
}
