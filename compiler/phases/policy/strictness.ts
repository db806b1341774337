import { computeLoosestMode, isStricter } from "../../../engine/lib/policy/index.ts";
import type { Clause } from "../../../engine/lib/wire/generated/policy.ts";
import type { Mode } from "../../../lang/tree/index.ts";
import type { BoundLine } from "../bind/index.ts";

export function isLooser(left: Mode, right: Mode): boolean {
  return isStricter(right, left);
}

/** The loosest and the strictest mode of a decision, over all arguments. */
export interface Reach {
  readonly loosest: Mode;
  readonly strictest: Mode;
}

/**
 * Returns the loosest and the strictest mode of some clauses. Clauses of one group are adjacent. A group has the mode of one of its
 * clauses, or the strictest `else` of all; the strictest group decides.
 */
export function reachOf(clauses: readonly Outcomes[]): Reach {
  let best: Mode = "auto";
  let worst: Mode = "auto";
  let group: object | undefined;
  let met: Mode = "forbidden";
  let unmet: Mode | undefined = "auto";
  // This is a loop without lists, because many checks run it for every tool and session.
  for (const clause of clauses) {
    if (clause.group !== group) {
      if (group !== undefined) best = chooseStricter(best, chooseLoosest(met, unmet));
      [group, met, unmet] = [clause.group, "forbidden", "auto"];
    }
    if (isLooser(clause.met, met)) met = clause.met;
    // If a rule has no conditions, no `else` can apply.
    if (clause.otherwise === undefined) unmet = undefined;
    else if (unmet !== undefined) unmet = chooseStricter(unmet, clause.otherwise);
    worst = chooseStricter(worst, chooseStricter(clause.met, clause.otherwise ?? clause.met));
  }
  if (group !== undefined) best = chooseStricter(best, chooseLoosest(met, unmet));
  return { loosest: best, strictest: worst };
}

/** Returns the loosest and the strictest mode of a decision list. */
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
  /** Mode if the conditions fail; `undefined` if there are no conditions. */
  readonly otherwise: Mode | undefined;
  /** Identity of the group. Rules of one layer and pattern share one object and decide together. */
  readonly group: object;
}

/** Returns the modes of a rule. All rules get the same group, so a caller must pass only rules with one pattern to `reachOf`. */
export function getOutcomes(line: BoundLine): Outcomes {
  return { met: line.mode, otherwise: line.where?.otherwise, group: LINES };
}

const LINES = {};

/** Returns whether either end of the first range is looser than the same end of the second. */
export function canReachLooser(first: Reach, second: Reach): boolean {
  return isLooser(first.loosest, second.loosest) || isLooser(first.strictest, second.strictest);
}
