// Evaluates decision lists as the gate does, for every combination of truths of their conditions, including `unknown`.
import {
  isStricter,
  listClauseModes,
  listOutcomes,
  type PermissionMode,
  type Truth,
} from "../../../../engine/lib/policy/index.ts";
import type { Clause, Decision, Floor } from "../../../../engine/lib/wire/generated/policy.ts";
import type { Setting } from "./build-arguments.ts";
import { type Heard, joinHeard } from "./heard.ts";
import type { Leaf } from "./leaf.ts";

/**
 * Maximum number of conditions whose truths are combined completely. If there are more conditions, the search may miss
 * an outcome.
 */
export const MOST_CONDITIONS = 12;

/** Maximum number of combinations: as many as twelve conditions have if each holds or fails. */
export const MOST_COMBINATIONS = 2 ** MOST_CONDITIONS;

/** A leaf, which is an argument or a field, with the numbers of the conditions on it. */
export interface NumberedLeaf {
  readonly leaf: Leaf;
  readonly numbers: readonly number[];
}

/** One truth for each condition, and the values that give these truths. */
interface CombinedAssignment {
  /** Truths by the numbers of the conditions. */
  readonly truths: readonly Truth[];
  /** Values of arguments; `undefined` if some value was neither found nor ruled out. */
  readonly settings: readonly Setting[] | undefined;
  readonly heard: readonly Heard[];
}

/** Selects the truths of a leaf (an argument or a field) that are combined with those of other leaves. */
type ListAssignments = (leaf: Leaf) => Leaf["assignments"];

/**
 * Returns all combinations that take one assignment of truths from each leaf. Every combination is possible, because
 * leaves are independent. `whole` is false if the limit left out a combination.
 */
export function combineAnswers(
  leaves: readonly NumberedLeaf[],
  listAssignments: ListAssignments,
): { readonly combined: readonly CombinedAssignment[]; readonly whole: boolean } {
  let combined: readonly CombinedAssignment[] = [{ truths: [], settings: [], heard: [] }];
  let whole = true;
  for (const { leaf, numbers } of leaves) {
    const answers = listAssignments(leaf);
    whole &&= combined.length * answers.length <= MOST_COMBINATIONS;
    const first = combined.slice(0, Math.ceil(MOST_COMBINATIONS / Math.max(1, answers.length)));
    const extended = first.flatMap((one) => answers.map((answer) => extendAssignment(one, answer, numbers)));
    combined = extended.slice(0, MOST_COMBINATIONS);
  }
  return { combined, whole };
}

/** Adds the truths of one leaf to a combination. `numbers` are the numbers of the leaf's conditions. */
function extendAssignment(
  { truths, settings, heard }: CombinedAssignment,
  answer: Leaf["assignments"][number],
  numbers: readonly number[],
): CombinedAssignment {
  const more = [...truths];
  for (const [index, number] of numbers.entries()) more[number] = answer.truths[index] ?? "unknown";
  const all = joinHeard([heard, answer.heard ?? []]);
  const set = settings && answer.settings && all && [...settings, ...answer.settings];
  return { truths: more, settings: set, heard: all ?? [] };
}

/**
 * A decision list with the numbers of its conditions. The list contains only the floors that apply to the conversation.
 */
interface NumberedList {
  readonly clauses: readonly Clause[];
  readonly floors: readonly Floor[];
  /** Numbers of the conditions of each clause, then of each floor. */
  readonly numbered: readonly (readonly number[])[];
}

/** Numbers the conditions of a list. */
export function numberList(
  { clauses, floors }: Decision,
  numberOf: (condition: Clause["conditions"][number]) => number,
): NumberedList {
  return { clauses, floors, numbered: [...clauses, ...floors].map(({ conditions }) => conditions.map(numberOf)) };
}

/**
 * Returns the mode of a list as the gate decides. If it is unknown whether some line matches, the result is the
 * strictest mode that any line can give. A floor whose conditions are unknown counts as met.
 */
export function evaluateList({ clauses, floors, numbered }: NumberedList, truths: readonly Truth[]): PermissionMode {
  const stand = numbered.map((numbers) => joinTruths(numbers.map((number) => truths[number] ?? "unknown")));
  const ofClauses = stand.slice(0, clauses.length);
  const raising = floors.filter((_, at) => stand[clauses.length + at] !== "fails").map(({ mode }) => mode);
  const modes = ofClauses.includes("unknown")
    ? clauses.flatMap(listClauseModes)
    : listOutcomes(clauses, ofClauses).map(({ mode }) => mode);
  return chooseStrictest([...modes, ...raising]);
}

/** Returns the list with its floors changed so that they apply to every conversation. */
export function assumeFloors({ clauses, floors }: Decision): Decision {
  const met = { confidentialityAtLeast: 0, integrityAtMost: 255, compartments: 0n, unattended: false };
  return { clauses, floors: floors.map((floor) => ({ ...floor, ...met })) };
}

/** Returns the truth of a line from the truths of its conditions. */
function joinTruths(truths: readonly Truth[]): Truth {
  for (const truth of ["unknown", "fails", "holdsWeakly"] as const) if (truths.includes(truth)) return truth;
  return "holds";
}

/** Returns the strictest of some modes; `auto` if there are none. */
export function chooseStrictest(modes: readonly PermissionMode[]): PermissionMode {
  return modes.reduce((most, mode) => (isStricter(mode, most) ? mode : most), "auto");
}
