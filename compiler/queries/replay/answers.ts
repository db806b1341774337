import type { GatedDecision, RefusedDecision } from "../../../engine/lib/policy/index.ts";
import type { Direction } from "../diff/index.ts";

/** Decision about a proposed call: its gate, or the kind of refusal. */
export type Answer =
  | GatedDecision["gate"]
  /** The call waits for a person, because it needs approval in a task and no person was present. */
  | "parked"
  | RefusedDecision["outcome"]
  /** The policy does not have the session, task or phase of the recorded call. */
  | "notThere";

/** Strictness of each answer. All refusals are equally strict, whatever their reason. */
const STRICTNESS = {
  auto: 0,
  consent: 1,
  stepUp: 2,
  parked: 3,
  refusedByPolicy: 4,
  invalidArguments: 4,
  unknownTool: 4,
  notThere: 4,
} as const satisfies Record<Answer, number>;

export interface RecordedAnswer {
  readonly answer: Answer;
  /** Whether the result was withheld from the model because it exceeds the session's clearance; `undefined` without a result. */
  readonly withheld: boolean | undefined;
}

export function isLooser(one: Answer, other: Answer): boolean {
  return STRICTNESS[one] < STRICTNESS[other];
}

/** Returns whether `after` allows or reveals something that `before` did not, even if `after` is stricter in another way. */
export function isWidened(before: RecordedAnswer, after: RecordedAnswer): boolean {
  return isLooser(after.answer, before.answer) || (before.withheld === true && after.withheld === false);
}

/** Returns how authority changes from `before` to `after`, or `undefined` if both are the same. */
export function classifyChange(before: RecordedAnswer, after: RecordedAnswer): Direction | undefined {
  const untold = before.withheld === false && after.withheld === true;
  const widens = isWidened(before, after);
  const narrows = isLooser(before.answer, after.answer) || untold;
  if (widens !== narrows) return widens ? "widened" : "narrowed";
  return widens || before.answer !== after.answer ? "moved" : undefined;
}

export function isRefusal(answer: Answer): boolean {
  return STRICTNESS[answer] === STRICTNESS.refusedByPolicy;
}
