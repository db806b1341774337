// Reads from the audit record of a call how the call was decided. The reason in the record shows who refused the call:
// the page, or the machine. No page can change a refusal by the machine. A refusal with an unknown reason counts as a
// refusal by the machine, so that it is not wrongly attributed to a line of a page.

import type { CallRecord } from "../../../engine/lib/wire/generated/audit.ts";
import type { Answer, RecordedAnswer } from "./answers.ts";

export type RecordedOutcome = DecidedOutcome | UndecidedOutcome;

/** An outcome that the policy decided when the record was made. */
export interface DecidedOutcome extends RecordedAnswer {
  readonly kind: "decided";
  /** Whether a person was asked, so that the call used a prompt. */
  readonly asked: boolean;
  /** Whether nobody was asked, because a remembered consent covered the call. */
  readonly remembered: boolean;
  /** Whether a person denied the same call earlier in the turn, so that the gate did not ask again. */
  readonly deniedBefore: boolean;
}

/** An outcome that the machine caused before the policy decided. Another page would not change it. */
interface UndecidedOutcome {
  readonly kind: "beyond";
  readonly reason: string;
}

const NOBODY = "nobody is there to be asked";
/**
 * Matches the broker's and the gate's reasons for a refusal by the page that is not due to the mode `forbidden`: for
 * example, a quota is used up. Tests compare them with the actual reasons.
 */
const BY_POLICY: readonly RegExp[] = [
  /^this conversation has seen what may not flow to this tool$/,
  /^its result may be above what this session is cleared for$/,
  /^nobody is there to be asked$/,
  /^used up: /,
  // The next reasons come from `resolveToolTarget`, which finds the server for a call. They are refusals by the page,
  // because the page's grant decides to which servers a call may go.
  /^outside the page's grant, which covers /,
  /^the page's grant does not cover the method [A-Z]+$/,
  /^this is no address of the web$/,
  /^an address may not hold a user name$/,
  /^a path has at most \d+ characters$/,
  /^a path begins with a slash and holds what a URL may hold; /,
  /^a path that servers may read in two ways is not sent$/,
  /^a % in a path is followed by two hexadecimal digits$/,
  /^\S+ has no (?:url|path)$/,
];
const DENIED_BEFORE = /^this was denied earlier in the turn$|^\S+ was denied \d+ times in this turn; /;
const WITHHELD = "it ran, and its result is above what this session is cleared for";

/**
 * Returns the outcome that a record states. If only an intent exists, the call was sent, but the log has no outcome.
 */
export function classifyRecord(call: CallRecord, kind: "intent" | "outcome"): RecordedOutcome {
  switch (call.decision) {
    case "auto":
      return makeDecided("auto", call, kind);
    case "consented":
    case "denied":
    case "remembered":
      return makeDecided("consent", call, kind);
    case "stepUpSucceeded":
    case "stepUpFailed":
      return makeDecided("stepUp", call, kind);
    case "forbidden":
      return makeDecided("refusedByPolicy", call, kind);
    case "notReached":
      return classifyUnreached(call);
  }
}

function makeDecided(answer: Answer, call: CallRecord, kind: "intent" | "outcome"): DecidedOutcome {
  const { decision, error, outcome } = call;
  const deniedBefore = DENIED_BEFORE.test(error);
  const remembered = decision === "remembered";
  const isGated = answer === "consent" || answer === "stepUp";
  const cameBack = kind === "outcome" && hasBegun(call) && (outcome === "ok" || error === WITHHELD);
  return {
    kind: "decided",
    answer,
    withheld: cameBack ? error === WITHHELD : undefined,
    asked: isGated && !remembered && !deniedBefore,
    remembered,
    deniedBefore,
  };
}

function classifyUnreached(call: CallRecord): RecordedOutcome {
  const { outcome, error } = call;
  switch (outcome) {
    case "unknownTool":
    case "invalidArguments":
      return makeDecided(outcome, call, "outcome");
    case "refusedByPolicy":
      if (BY_POLICY.some((words) => words.test(error))) return makeDecided(outcome, call, "outcome");
      if (error.startsWith(`${NOBODY}: `)) return makeDecided("parked", call, "outcome");
      return { kind: "beyond", reason: error };
    case "ok":
    case "deniedByUser":
    case "stepUpFailed":
    case "executionError":
    case "timedOut":
    case "cancelled":
      return { kind: "beyond", reason: error === "" ? outcome : error };
  }
}

/** Returns whether a person was present, or `undefined` if the outcome of the call does not show it. */
export function findAttendance({ decision, error }: CallRecord): boolean | undefined {
  if (error === NOBODY || error.startsWith(`${NOBODY}: `)) return false;
  switch (decision) {
    case "consented":
    case "denied":
    case "stepUpSucceeded":
    case "stepUpFailed":
      return DENIED_BEFORE.test(error) ? undefined : true;
    case "auto":
    case "forbidden":
    case "notReached":
    case "remembered":
      return undefined;
  }
}

/**
 * Returns whether the gate was about to send the call. This is so if the record refers to an intent, or if it refers to
 * none but states that the call was sent.
 */
function hasBegun({ intent, sent }: CallRecord): boolean {
  return intent !== 0n || sent;
}

export type SendStatus = "yes" | "no" | "unknown";

/** Returns whether the service received a call, so that the conversation has read its result. */
export function classifySent(call: CallRecord): SendStatus {
  const { outcome, error } = call;
  if (!hasBegun(call)) return "no";
  switch (outcome) {
    case "ok":
    case "executionError":
    case "timedOut":
      return "yes";
    case "refusedByPolicy":
      return error.startsWith("it ran, ") ? "yes" : "no";
    case "cancelled":
      return "unknown";
    case "deniedByUser":
    case "stepUpFailed":
    case "invalidArguments":
    case "unknownTool":
      return "no";
  }
}
