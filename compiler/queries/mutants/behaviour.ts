import {
  computeLoosestMode,
  computeModeOfTruths,
  listConditions,
  type Truth,
} from "../../../engine/lib/policy/index.ts";
import type { Decision as DecisionList, Floor } from "../../../engine/lib/wire/generated/policy.ts";
import { MODES } from "../../../lang/grammar/index.ts";
import { serializeValue } from "../../phases/policy/index.ts";

// Computes whether two decision lists make the same decisions. A change that another line of the list hides has no
// effect, and no test could notice it. To find such changes, every combination of results of the conditions and floors
// is tried.

/**
 * Maximum number of combinations of conditions and floors. With more combinations, two lists count as different if
 * their texts differ.
 */
const MOST_WAYS = 4096;
const TRUTHS = 3;
const UNKNOWN = 2;

/**
 * Returns a text that is equal for two lists if and only if they decide alike. All conditions and floors of both lists must be among those
 * of `of`. Conditions count as independent of each other, although for example a path cannot be under two separate folders.
 */
export function computeBehaviour(list: DecisionList, of: DecisionList): string {
  const conditions = indexItems(listConditions(of));
  const floors = indexItems(of.floors.map(dropConditions));
  const ways = TRUTHS ** conditions.size * 2 ** floors.size;
  if (ways > MOST_WAYS) return serializeValue(list);
  const tests = list.clauses.map((clause) => findIndexes(conditions, clause.conditions));
  const raised = list.floors.map((floor) => ({
    rank: MODES.indexOf(floor.mode),
    at: floors.get(serializeValue(dropConditions(floor))) ?? 0,
    asked: findIndexes(conditions, floor.conditions),
  }));
  const ranks: number[] = [];
  for (let way = 0; way < ways; way += 1) {
    const getTruth = (at: number) => Math.floor(way / TRUTHS ** at) % TRUTHS;
    const floorWay = Math.floor(way / TRUTHS ** conditions.size);
    const truths = tests.map((asked): Truth => {
      const answers = asked.map(getTruth);
      return answers.includes(UNKNOWN) ? "unknown" : answers.includes(0) ? "fails" : "holds";
    });
    const decided = MODES.indexOf(computeModeOfTruths(list.clauses, truths).mode);
    const floored = raised
      .filter(({ at, asked }) => (floorWay >> at) % 2 === 1 && isRaising(asked.map(getTruth)))
      .map(({ rank }) => rank);
    ranks.push(Math.max(decided, ...floored));
  }
  return ranks.join("");
}

/** Returns a floor with its conditions on the conversation, without its conditions on arguments. */
function dropConditions(floor: Floor): Floor {
  return { ...floor, conditions: [] };
}

/** Returns whether a floor applies if its conditions have the results `answers`. An unknown condition counts as met. */
function isRaising(answers: readonly number[]): boolean {
  return answers.includes(UNKNOWN) || !answers.includes(0);
}

/** Returns the loosest mode that arguments can cause, regardless of floors, as an index into MODES. */
export function computeLoosestRank({ clauses }: DecisionList): number {
  return MODES.indexOf(computeLoosestMode(clauses));
}

function indexItems(items: readonly unknown[]): ReadonlyMap<string, number> {
  return new Map([...new Set(items.map(serializeValue))].map((text, index) => [text, index]));
}

function findIndexes(known: ReadonlyMap<string, number>, items: readonly unknown[]): number[] {
  return items.map((item) => known.get(serializeValue(item)) ?? 0);
}
