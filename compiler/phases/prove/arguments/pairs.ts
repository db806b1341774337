// Two decision lists about one tool, side by side: which modes they give for the same arguments. What two pages differ in
// is asked so; a list alone is asked in outcomes.ts.
import {
  canonicalizeArguments,
  checkRecord,
  computeMode,
  listClauseModes,
  listOutcomes,
  type PermissionMode,
  type Truth,
} from "../../../../engine/lib/policy/index.ts";
import type { Clause, Decision, Param } from "../../../../engine/lib/wire/generated/policy.ts";
import { buildArguments, type Setting } from "./build-arguments.ts";
import { assumeSources, type Heard, joinHeard } from "./heard.ts";
import {
  chooseStrictest,
  evaluateLeaves,
  joinTruths,
  MOST_COMBINATIONS,
  MOST_COMBINED,
  type NumberedCondition,
  type NumberedLeaf,
  numberOf,
} from "./outcomes.ts";

/** The modes of two lists for the same arguments. */
export interface ModePair {
  readonly before: PermissionMode;
  readonly after: PermissionMode;
  /** Canonical JSON that the gate itself decides so; absent where none was found and none can be ruled out. */
  readonly arguments?: string;
  /** What was heard of them before. */
  readonly heard?: readonly Heard[];
}

/** All pairs that were found, each once. */
interface ModePairs {
  readonly pairs: readonly ModePair[];
  /** There are no others. */
  readonly complete: boolean;
}

type Clauses = Pick<Decision, "clauses">;

/** The modes that the clauses of both lists give for arguments that fit the tool. */
export function findModePairs(params: readonly Param[], before: Clauses, after: Clauses): ModePairs {
  const numbers = new Map<string, number>();
  const distinct: NumberedCondition[] = [];
  const [first, second] = [before, after].map((side) => numberConditions(side, numbers, distinct));
  if (first === undefined || second === undefined) return { pairs: [], complete: false };
  if (distinct.length > MOST_COMBINED) return { pairs: [], complete: false };
  const { leaves, complete } = evaluateLeaves(params, distinct);
  const { combined, whole } = combineAnswers(leaves);
  const found = new Map<string, ModePair>();
  for (const { truths, settings, heard } of combined) {
    const expected = { before: evaluateMode(first, truths), after: evaluateMode(second, truths) };
    const key = `${expected.before} ${expected.after}`;
    if (found.get(key)?.arguments !== undefined) continue;
    const text = settings && buildArguments(params, settings);
    const fits = text !== undefined && hasExpectedModes(params, [before, after], { text, heard }, expected);
    found.set(key, fits ? { ...expected, arguments: text, heard } : expected);
  }
  return { pairs: [...found.values()], complete: complete && whole && !leaves.some(({ leaf }) => leaf.isOpen) };
}

interface Side {
  readonly clauses: readonly Clause[];
  /** By clause: the numbers of its conditions. */
  readonly numbered: readonly (readonly number[])[];
}

function numberConditions({ clauses }: Clauses, numbers: Map<string, number>, distinct: NumberedCondition[]): Side {
  const numbered = clauses.map(({ conditions }) => conditions.map((one) => numberOf(one, numbers, distinct)));
  return { clauses, numbered };
}

interface CombinedAssignment {
  /** By the numbers of conditions. */
  readonly truths: readonly Truth[];
  readonly settings: readonly Setting[] | undefined;
  readonly heard: readonly Heard[];
}

/** Combines the assignments of all leaves; `whole` if none had to be left out. */
function combineAnswers(leaves: readonly NumberedLeaf[]): { combined: readonly CombinedAssignment[]; whole: boolean } {
  let combined: readonly CombinedAssignment[] = [{ truths: [], settings: [], heard: [] }];
  let whole = true;
  for (const { leaf, numbers } of leaves) {
    const known = leaf.assignments.map(({ truths, settings: set, heard = [] }) => {
      return { truths, heard, set };
    });
    const partly = leaf.partial.map(({ truths, settings: set, heard }) => ({ truths, heard, set }));
    const answers = [...known, ...partly];
    const most = Math.floor(MOST_COMBINATIONS / Math.max(1, answers.length));
    whole &&= combined.length <= most;
    combined = combined.slice(0, most).flatMap(({ truths, settings, heard }) =>
      answers.map((answer): CombinedAssignment => {
        const more = [...truths];
        for (const [index, number] of numbers.entries()) more[number] = answer.truths[index] ?? "unknown";
        const all = joinHeard([heard, answer.heard]);
        const set = settings && answer.set && all && [...settings, ...answer.set];
        return { truths: more, settings: set, heard: all ?? [] };
      }),
    );
  }
  return { combined, whole };
}

/** As the gate decides: what one condition cannot tell takes the strictest of the whole list. */
function evaluateMode({ clauses, numbered }: Side, truths: readonly Truth[]): PermissionMode {
  const stand = numbered.map((numbers) => joinTruths(numbers.map((number) => truths[number] ?? "unknown")));
  const isUnknown = stand.includes("unknown");
  return chooseStrictest(
    isUnknown ? clauses.flatMap(listClauseModes) : listOutcomes(clauses, stand).map(({ mode }) => mode),
  );
}

/**
 * Whether the gate takes these arguments and decides as expected. It does not where one argument was to be left out of a
 * record that another one stands in: such answers do not go together, and are looked at as what cannot be ruled out.
 */
function hasExpectedModes(
  params: readonly Param[],
  lists: readonly Clauses[],
  { text, heard }: { readonly text: string; readonly heard: readonly Heard[] },
  { before, after }: { readonly before: PermissionMode; readonly after: PermissionMode },
): boolean {
  const read = canonicalizeArguments(text);
  if (!read.ok || checkRecord(params, read.value.value) !== undefined) return false;
  const seen = { label: NO_LABEL, unattended: false, sources: assumeSources(heard) };
  const given = lists.map(({ clauses }) => computeMode({ clauses, floors: [] }, read.value.value, seen).mode);
  return given[0] === before && given[1] === after;
}

/** Floors alone look at the label, and there are none. */
const NO_LABEL = { confidentiality: 0, integrity: 0, compartments: 0n };
