// Audit records: one for each request before any action runs, and one for its answer. The records leave out tokens, values of
// environment variables, contents of files and output of programs. The size of each record is bounded, like that of its request.

import type { ActionFault, Answer, FailureAnswer, Result } from "./answer.ts";
import { MOST_MESSAGE } from "./limits.ts";
import type { Action, ForeignAction, WidePlan } from "./plan.ts";

/** A log of JSON objects. `append` rejects if the record cannot be stored; then no action of the request runs. */
export interface AuditLog {
  readonly append: (record: object) => Promise<void>;
  readonly now: () => Date;
}

const REDACTED = "[redacted]";

export function requestRecord(plan: WidePlan, now: Date): object {
  return { at: now.toISOString(), what: "request", ...redactPlan(plan) };
}

/** Returns the part of a plan that is recorded, without the time. */
export function redactPlan({ actions, confirmation, ...envelope }: WidePlan): object {
  return {
    ...envelope,
    ...(confirmation && { confirmation: { token: REDACTED } }),
    actions: actions.map(redactAction),
  };
}

export function answerRecord(answer: Answer | FailureAnswer, now: Date): object {
  if (!answer.ok) return { at: now.toISOString(), what: "refused", ...answer };
  return { at: now.toISOString(), what: "answer", ...answer, results: answer.results.map(summarizeOutcome) };
}

function redactAction(action: Action | ForeignAction): object {
  switch (action.type) {
    case "exec":
      return { ...action, env: Object.fromEntries(Object.keys(action.env).map((name) => [name, REDACTED])) };
    case "write_file":
      return { ...action, content: REDACTED, content_bytes: Buffer.byteLength(action.content) };
    default:
      return action;
  }
}

function summarizeOutcome(result: Result): object {
  if ("stdout" in result) {
    const { stdout, stderr, ...outcome } = result;
    return {
      ...shortenError(outcome),
      stdout_bytes: Buffer.byteLength(stdout),
      stderr_bytes: Buffer.byteLength(stderr),
    };
  }
  if ("content_base64" in result) {
    const { content_base64: content, ...outcome } = result;
    return { ...outcome, content_bytes: Buffer.from(content, "base64").length };
  }
  return shortenError(result);
}

function shortenError<R extends Pick<Result, "type"> & { readonly error?: ActionFault }>(result: R): R {
  const { error } = result;
  if (error === undefined || error.message.length <= MOST_MESSAGE) return result;
  return { ...result, error: { ...error, message: `${error.message.slice(0, MOST_MESSAGE)}…` } };
}
