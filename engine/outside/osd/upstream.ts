// Converts answers and requests to the wire format of upstream's llm-osd 0.1.0 and its llmsh. In this format every field is present, and
// is null if it has no value; unknown fields are refused; and the list of codes is shorter. This file contains no code of upstream.

import { isList, isRecord, type Json, type JsonRecord, recordFrom } from "../../lib/policy/index.ts";
import type { ActionCode, ActionFault, Answer, FailureAnswer, RequestCode, Result } from "./answer.ts";
import { MOST_REQUEST_BYTES } from "./limits.ts";

const NO_ID = "unknown";

const REQUEST_CODES: Readonly<Record<RequestCode, string>> = {
  parse_failed: "parse_failed",
  validation_failed: "validation_failed",
  mode_invalid: "invalid_mode",
  request_too_large: "request_too_large",
  // At its timeout, upstream's daemon parses the bytes that it has received, and fails because they are not a complete document.
  request_timed_out: "parse_failed",
  // Upstream has no code for a record that could not be written, so only the message states this reason.
  audit_failed: "validation_failed",
};

/**
 * Upstream's error code for each error code of this daemon. A code without an equivalent is replaced by the failure
 * code of the action's type.
 */
const ACTION_CODES: Readonly<Record<Exclude<ActionCode, "exit_status" | "not_run">, string>> = {
  policy_denied: "policy_denied",
  confirmation_required: "confirmation_required",
  confirmation_invalid: "confirmation_required",
  exec_failed: "exec_failed",
  exec_timed_out: "exec_timed_out",
  read_failed: "read_failed",
  write_failed: "write_failed",
};

const NOT_RUN: Readonly<Partial<Record<Result["type"], string>>> = {
  exec: "exec_failed",
  read_file: "read_failed",
  write_file: "write_failed",
};

/** Returns an answer as upstream's client decodes it. */
export function convertAnswer(answer: Answer | FailureAnswer): JsonRecord {
  if (!answer.ok) {
    const { request_id = NO_ID, error } = answer;
    const told = { code: REQUEST_CODES[error.code], message: error.message };
    return { request_id, executed: false, results: [], error: told };
  }
  const { request_id, executed, results } = answer;
  return { request_id, executed, results: results.map(convertResult), error: null };
}

function convertResult(result: Result): JsonRecord {
  const { type } = result;
  const planned = "needs_confirmation" in result && result.needs_confirmation;
  const ok = result.ok && !planned;
  const error = planned ? CONFIRMATION_REQUIRED : convertFault(type, "error" in result ? result.error : undefined);
  switch (type) {
    case "ping":
      return { type: "pong", ok };
    case "exec":
      return { type, ok, ...("stdout" in result ? selectOutput(result) : NO_OUTPUT), error };
    case "read_file": {
      const read = "content_base64" in result ? result : undefined;
      return { type, ok, content_base64: read?.content_base64 ?? null, truncated: read?.truncated ?? false, error };
    }
    case "write_file":
      return { type, ok, artifacts: "artifacts" in result ? [...result.artifacts] : [], error };
    case "observe":
      return { type, ok, argv: [], ...NO_OUTPUT, error };
    default:
      return { type, ok, argv: [], error };
  }
}

const CONFIRMATION_REQUIRED = { code: "confirmation_required", message: "confirmation required" };
const NO_OUTPUT = { exit_code: null, stdout: "", stdout_truncated: false, stderr: "", stderr_truncated: false };

function selectOutput(result: Extract<Result, { readonly stdout: string }>): JsonRecord {
  const { exit_code, stdout, stdout_truncated, stderr, stderr_truncated } = result;
  return { exit_code, stdout, stdout_truncated, stderr, stderr_truncated };
}

/** Converts a fault. In upstream's format an exit status other than 0 is not an error, but has a field of its own. */
function convertFault(type: Result["type"], fault: ActionFault | undefined): JsonRecord | null {
  if (fault === undefined || fault.code === "exit_status") return null;
  const { code, message } = fault;
  if (code === "not_run") return { code: NOT_RUN[type] ?? "policy_denied", message };
  return { code: ACTION_CODES[code], message };
}

/** Returns a request that upstream's daemon decodes: it adds the fields that are optional here and required there. */
export function convertRequest(bytes: Uint8Array): Uint8Array {
  const read = recordFrom(bytes, MOST_REQUEST_BYTES);
  const { actions } = read.ok ? read.value : {};
  if (!read.ok || actions === undefined || !isList(actions)) return bytes;
  return Buffer.from(JSON.stringify({ ...read.value, actions: actions.map(addAsRoot) }));
}

function addAsRoot(action: Json): Json {
  return isRecord(action) && action["type"] === "exec" ? { as_root: false, ...action } : action;
}

/** Returns whether an answer of upstream's daemon reports success. */
export function isUpstreamWell(answer: object): boolean {
  const hasError = "error" in answer && answer.error !== null && answer.error !== undefined;
  const results = "results" in answer && Array.isArray(answer.results) ? answer.results : undefined;
  return !hasError && results !== undefined && results.every((result) => isRecord(result) && result["ok"] === true);
}
