import { computeLoosestMode, isStricter } from "../../../engine/lib/policy/index.ts";
import type { Clause } from "../../../engine/lib/wire/generated/policy.ts";
import type { Mode } from "../../../lang/tree/index.ts";
import type { BoundLine } from "../bind/index.ts";

export function isLooser(left: Mode, right: Mode): boolean {
  return isStricter(right, left);
}

/** The loosest and the strictest mode that an answer can have for any arguments. */
export interface Reach {
  readonly loosest: Mode;
  readonly strictest: Mode;
}

/**
 * Returns the loosest and the strictest mode that the clauses can give. The lines of one group are adjacent. A group
 * can give the mode of each of its lines, or the strictest of their `else` modes. If the clauses form several groups,
 * the strictest group decides.
 */
export function reachOf(clauses: readonly Outcomes[]): Reach {
  let best: Mode = "auto";
  let worst: Mode = "auto";
  let group: object | undefined;
  let met: Mode = "forbidden";
  let unmet: Mode | undefined = "auto";
  // Use a loop without lists, because many laws run this for every cell.
  for (const clause of clauses) {
    if (clause.group !== group) {
      if (group !== undefined) best = chooseStricter(best, chooseLoosest(met, unmet));
      group = clause.group;
      met = "forbidden";
      unmet = "auto";
    }
    if (isLooser(clause.met, met)) met = clause.met;
    // If a line of the group has no condition, the `else` modes of the group are never reached.
    if (clause.otherwise === undefined) unmet = undefined;
    else if (unmet !== undefined) unmet = chooseStricter(unmet, clause.otherwise);
    worst = chooseStricter(worst, chooseStricter(clause.met, clause.otherwise ?? clause.met));
  }
  if (group !== undefined) best = chooseStricter(best, chooseLoosest(met, unmet));
  return { loosest: best, strictest: worst };
}

/** Returns the loosest and the strictest mode that the clauses of a decision list can give. */
export function reachOfList(clauses: readonly Clause[]): Reach {
  const worst = clauses.reduce<Mode>((strictest, { conditions, met, otherwise }) => {
    return chooseStricter(strictest, conditions.length === 0 ? met : chooseStricter(met, otherwise));
  }, "auto");
  return { loosest: computeLoosestMode(clauses), strictest: worst };
}

function chooseStricter(one: Mode, other: Mode): Mode {
  return isStricter(other, one) ? other : one;
}

function chooseLoosest(one: Mode, other: Mode | undefined): Mode {
  return other !== undefined && isStricter(one, other) ? other : one;
}

export interface Outcomes {
  readonly met: Mode;
  /** Mode if the conditions fail; `undefined` if the line has no conditions. */
  readonly otherwise: Mode | undefined;
  /**
   * Identity of the group: lines of the same layer and pattern have the same object. Of those lines of a group that
   * match a call, only the most specific ones decide.
   */
  readonly group: object;
}

/**
 * Returns the modes that a line can give. All lines get the same group, because the caller compares only lines of one
 * pattern.
 */
export function getOutcomes(line: BoundLine): Outcomes {
  return { met: line.mode, otherwise: line.where?.otherwise, group: LINES };
}

const LINES = {};

/**
 * Compares the loosest modes of `first` and `second`, and their strictest modes. Returns whether `first` is looser in
 * one of these comparisons.
 */
export function canReachLooser(first: Reach, second: Reach): boolean {
  return isLooser(first.loosest, second.loosest) || isLooser(first.strictest, second.strictest);
}
