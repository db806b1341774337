import {
  computeLoosestMode,
  isStricter,
  listClauseModes,
  type PermissionMode,
  serializeCondition,
} from "../../../../engine/lib/policy/index.ts";
import type { Clause, Condition, Decision, Param } from "../../../../engine/lib/wire/generated/policy.ts";
import type { Setting } from "./build-arguments.ts";
import {
  chooseStrictest,
  combineAnswers,
  evaluateList,
  MOST_COMBINATIONS,
  MOST_CONDITIONS,
  type NumberedLeaf,
  numberList,
} from "./combinations.ts";
import type { Heard } from "./heard.ts";
import { evaluateLeaf, findLeafPath, findWholeArguments, listPossibleTruths } from "./leaf.ts";

/**
 * Maximum number of conditions whose truths are combined. The limit is needed, because a page may have thousands of
 * lines about one method.
 */
export const MOST_COMBINED = 4 * MOST_CONDITIONS;

/** A mode that a list may give, and the values for which it gives this mode. */
interface Outcome {
  readonly mode: PermissionMode;
  /** Values of the arguments; `undefined` if some value was neither found nor ruled out. */
  readonly settings: readonly Setting[] | undefined;
  /** Assumptions about texts that the conversation received earlier. */
  readonly heard: readonly Heard[];
}

/** The outcomes of a list that were found: the modes that it may give, each with values that give it. */
export interface Outcomes {
  readonly outcomes: readonly Outcome[];
  /** Whether the list certainly has no other outcomes. */
  readonly complete: boolean;
}

/**
 * Returns the modes that a list may give, each with values for which it gives the mode. All floors of the list are
 * assumed to apply. Outcomes for which each condition holds or fails come first, then those for which a condition is
 * unknown.
 */
export function enumerateOutcomes(params: readonly Param[], list: Decision): Outcomes {
  return list.floors.length === 0 ? enumerateClauseOutcomes(params, list) : enumerateRaisedOutcomes(params, list);
}

/**
 * Returns the outcomes of a list with floors. The function combines all truths, including `unknown`. An unknown
 * condition of a line gives the strictest mode; an unknown condition of a floor only makes the floor apply.
 */
function enumerateRaisedOutcomes(params: readonly Param[], list: Decision): Outcomes {
  const numbers = new Map<string, number>();
  const distinct: NumberedCondition[] = [];
  const numbered = numberList(list, (condition) => numberOf(condition, numbers, distinct));
  if (distinct.length > MOST_COMBINED) return { outcomes: [], complete: false };
  const { leaves, complete } = evaluateLeaves(params, distinct);
  const { combined, whole } = combineAnswers(leaves, ({ assignments, partial, listUnseen }) => [
    ...assignments,
    ...partial,
    ...listUnseen(),
  ]);
  const outcomes = combined.map(({ truths, settings, heard }) => {
    return { mode: evaluateList(numbered, truths), settings, heard };
  });
  return { outcomes, complete: complete && whole };
}

function enumerateClauseOutcomes(params: readonly Param[], list: Decision): Outcomes {
  const numbers = new Map<string, number>();
  const distinct: NumberedCondition[] = [];
  const numbered = numberList(list, (condition) => numberOf(condition, numbers, distinct));
  if (distinct.length > MOST_COMBINED) return { outcomes: [], complete: false };
  const { leaves, complete } = evaluateLeaves(params, distinct);
  const { combined } = combineAnswers(leaves, ({ assignments }) => assignments);
  const known = combined.map(({ truths, settings, heard }) => ({
    mode: evaluateList(numbered, truths),
    settings,
    heard,
  }));
  return { outcomes: [...known, ...enumerateUnknownOutcomes(list.clauses, leaves)], complete };
}

/** A condition, and its number among all conditions of a list. */
export interface NumberedCondition {
  readonly number: number;
  readonly condition: Condition;
}

/** Returns the number of a condition. Equal conditions have the same number. */
export function numberOf(condition: Condition, numbers: Map<string, number>, distinct: NumberedCondition[]): number {
  const text = serializeCondition(condition);
  const known = numbers.get(text);
  if (known !== undefined) return known;
  const number = distinct.length;
  numbers.set(text, number);
  distinct.push({ number, condition });
  return number;
}

/** Arguments and fields (leaves) on which there are conditions, each with the numbers of its conditions. */
interface NumberedLeaves {
  readonly leaves: readonly NumberedLeaf[];
  /** Whether the leaves have all possible assignments of truths; false if there are too many conditions. */
  readonly complete: boolean;
}

/** Returns the arguments and fields (leaves) on which there are conditions. */
export function evaluateLeaves(params: readonly Param[], distinct: readonly NumberedCondition[]): NumberedLeaves {
  const ways = distinct.reduce((all, { condition }) => all * listPossibleTruths(condition).length, 1);
  const complete = distinct.length <= MOST_CONDITIONS && ways <= MOST_COMBINATIONS;
  const whole = findWholeArguments(distinct.map(({ condition }) => condition));
  const byPath = Map.groupBy(distinct, ({ condition }) => JSON.stringify(findLeafPath(condition, whole)));
  const leaves = [...byPath.values()].map((about) => {
    const conditions = about.map(({ condition }) => condition);
    const path = conditions[0] === undefined ? [] : findLeafPath(conditions[0], whole);
    const leaf = evaluateLeaf(params, path, conditions, complete ? "exhaustive" : "sampled");
    return { leaf, numbers: about.map(({ number }) => number) };
  });
  return { leaves, complete };
}

/**
 * Returns outcomes for which a condition is unknown. In this case the list gives its strictest mode, whatever the other
 * conditions are.
 */
function enumerateUnknownOutcomes(clauses: readonly Clause[], leaves: readonly NumberedLeaf[]): readonly Outcome[] {
  const mode = chooseStrictest(clauses.flatMap(listClauseModes));
  return leaves.flatMap(({ leaf: { unknown } }): readonly Outcome[] => {
    if (unknown === undefined) return [];
    if (unknown === "open") return [{ mode, settings: undefined, heard: [] }];
    return [{ mode, ...unknown }];
  });
}

/** Returns whether the list could give the mode if all combinations of truths were possible. */
export function couldGive({ clauses, floors }: Decision, mode: PermissionMode): boolean {
  const isSaid = clauses.some((clause) => listClauseModes(clause).includes(mode));
  return !isStricter(computeLoosestMode(clauses), mode) && (isSaid || floors.some((floor) => floor.mode === mode));
}
