import { isStricter } from "../../../engine/lib/policy/index.ts";
import type { Mode } from "../../../lang/tree/index.ts";
import type { BoundLine } from "../bind/index.ts";

export function isLooser(left: Mode, right: Mode): boolean {
  return isStricter(right, left);
}

/** The loosest and the strictest that an answer can come to, whatever the arguments are. */
export interface Reach {
  readonly loosest: Mode;
  readonly strictest: Mode;
}

/** Of clauses that hold together: each takes its best or its worst, and the strictest of them decides. */
export function reachOf(clauses: readonly Outcomes[]): Reach {
  let best: Mode = "auto";
  let worst: Mode = "auto";
  // A loop and no lists: it is asked of every cell by many laws.
  for (const { met, otherwise = met } of clauses) {
    const [low, high] = isLooser(otherwise, met) ? [otherwise, met] : [met, otherwise];
    if (isLooser(best, low)) best = low;
    if (isLooser(worst, high)) worst = high;
  }
  return { loosest: best, strictest: worst };
}

export interface Outcomes {
  readonly met: Mode;
  /** The mode where the conditions fail; undefined where there are none. */
  readonly otherwise: Mode | undefined;
}

export function getOutcomes(line: BoundLine): Outcomes {
  return { met: line.mode, otherwise: line.where?.otherwise };
}

/** True where some arguments get a looser answer from the first than any they could get from the second. */
export function canReachLooser(first: Reach, second: Reach): boolean {
  return isLooser(first.loosest, second.loosest) || isLooser(first.strictest, second.strictest);
}
