// Evaluates decision lists like the gate, for every combination of the results of their conditions, including unknown results.
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
 * Maximum number of conditions in a list whose results are combined exhaustively. In a list with more, a mode that was not found may still
 * exist.
 */
export const MOST_CONDITIONS = 12;

/** Number of combinations if twelve conditions can each hold or fail. */
export const MOST_COMBINATIONS = 2 ** MOST_CONDITIONS;

/** One argument or field, and the numbers of the conditions on it. */
export interface NumberedLeaf {
  readonly leaf: Leaf;
  readonly numbers: readonly number[];
}

/** A truth value for each condition of a list, and the settings that produce them. */
interface CombinedAssignment {
  /** Truth values by the numbers of the conditions. */
  readonly truths: readonly Truth[];
  /** Absent if the search neither found a required value nor ruled it out. */
  readonly settings: readonly Setting[] | undefined;
  readonly heard: readonly Heard[];
}

/** Returns those assignments of a leaf that are to be combined. */
type ListAssignments = (leaf: Leaf) => Leaf["assignments"];

/**
 * Combines each assignment of one leaf with each assignment of the other leaves, because leaves are independent. `whole` is false if
 * combinations were dropped.
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

/** `numbers` are the numbers of the conditions that the leaf's truth values belong to. */
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

/** A decision list whose conditions are numbered. It contains only those `atLeast` lines that the conversation meets. */
interface NumberedList {
  readonly clauses: readonly Clause[];
  readonly floors: readonly Floor[];
  /** The numbers of each clause's conditions, then of each `atLeast` line's. */
  readonly numbered: readonly (readonly number[])[];
}

/** Returns the list with numbered conditions. */
export function numberList(
  { clauses, floors }: Decision,
  numberOf: (condition: Clause["conditions"][number]) => number,
): NumberedList {
  return { clauses, floors, numbered: [...clauses, ...floors].map(({ conditions }) => conditions.map(numberOf)) };
}

/**
 * Returns the mode of a list as the gate computes it. An unknown condition in a rule gives the strictest mode of all rules; in an `atLeast`
 * line, it makes the line apply.
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

/** Returns the list with `atLeast` lines that apply in every conversation. */
export function assumeFloors({ clauses, floors }: Decision): Decision {
  const met = { confidentialityAtLeast: 0, integrityAtMost: 255, compartments: 0n, unattended: false };
  return { clauses, floors: floors.map((floor) => ({ ...floor, ...met })) };
}

/** Returns the combined truth value of the conditions of one rule. */
function joinTruths(truths: readonly Truth[]): Truth {
  for (const truth of ["unknown", "fails", "holdsWeakly"] as const) if (truths.includes(truth)) return truth;
  return "holds";
}

/** Returns the strictest of the modes, or `auto` if there are none. */
export function chooseStrictest(modes: readonly PermissionMode[]): PermissionMode {
  return modes.reduce((most, mode) => (isStricter(mode, most) ? mode : most), "auto");
}
