// Rules of one layer with the same pattern decide together: of the rules that match, the most specific ones count. Which rule
// displaces which other rule is derived once for a list of clauses, so that a call only evaluates conditions.
import type { Clause, Condition } from "../wire/generated/policy.ts";
import type { Truth } from "./condition.ts";
import { serializeCondition } from "./condition-key.ts";

/**
 * Clauses that decide together: of those that match, the most specific ones decide. A clause without a group is a group of one clause.
 */
interface ClauseGroup {
  /** Clauses with conditions: those with equal conditions are one set. Sets are in the order of their first clauses. */
  readonly sets: readonly ConditionSet[];
  /** Indexes of clauses without conditions. */
  readonly plain: readonly number[];
}

/** The clauses of a group that have the same conditions. */
interface ConditionSet {
  /** Indexes of the clauses in the decision list; never empty. */
  readonly members: readonly number[];
  /**
   * Sets whose conditions include all conditions of this set and more: if one of them matches, it displaces this set.
   * Indexes into the group's sets.
   */
  readonly above: readonly number[];
}

/**
 * Maximum number of pairs of condition sets in one group that are compared, to find which set includes another. Even
 * ten thousand lines need no comparison if no two of them share a condition.
 */
export const MOST_COMPARISONS = 2 ** 22;

/** Cache of the plan of each list of clauses. A list object never changes: changed clauses are a new list. */
const PLANNED = new WeakMap<readonly Clause[], Plan>();

interface Plan {
  readonly groups: readonly ClauseGroup[];
  /** Number of set comparisons that the most expensive group needs. */
  readonly comparisons: number;
}

/**
 * Returns the groups of a list in the order of their first clauses. In a group that needs more than `MOST_COMPARISONS`,
 * no clause displaces another.
 */
export function planGroups(clauses: readonly Clause[]): readonly ClauseGroup[] {
  return planClauses(clauses).groups;
}

function planClauses(clauses: readonly Clause[]): Plan {
  const known = PLANNED.get(clauses);
  if (known !== undefined) return known;
  const derived = listMembers(clauses).map((members) => deriveGroup(clauses, members));
  const comparisons = derived.reduce((most, one) => Math.max(most, one.comparisons), 0);
  const plan = { groups: derived.map(({ group }) => group), comparisons };
  PLANNED.set(clauses, plan);
  return plan;
}

/**
 * Returns why the groups of a list are invalid, or `undefined` if they are valid. Numbers of groups begin at 1 without
 * gaps, a group has at least two clauses, and it needs at most `MOST_COMPARISONS`.
 */
export function findGroupFault(clauses: readonly Clause[]): string | undefined {
  if (!hasGroups(clauses)) return undefined;
  const members = new Map<number, number>();
  for (const { group } of clauses) {
    if (group === 0) continue;
    if (group > members.size + 1) return `group ${group} is used before group ${members.size + 1}`;
    members.set(group, (members.get(group) ?? 0) + 1);
  }
  for (const [group, count] of members) if (count === 1) return `group ${group} has one clause only`;
  return countComparisons(clauses) > MOST_COMPARISONS
    ? "the conditions of a group overlap in more ways than are compared"
    : undefined;
}

/** Returns the number of set comparisons of the most expensive group. */
export function countComparisons(clauses: readonly Clause[]): number {
  return planClauses(clauses).comparisons;
}

/** Returns whether some clause belongs to a group, in which the most specific clauses decide. */
export function hasGroups(clauses: readonly Clause[]): boolean {
  // Loop by index: this runs for each call with a condition.
  for (let at = 0; at < clauses.length; at += 1) if (clauses[at]?.group !== 0) return true;
  return false;
}

/** Returns the indexes of the clauses of each group. */
function listMembers(clauses: readonly Clause[]): readonly (readonly number[])[] {
  return [...Map.groupBy(clauses.keys(), (at) => clauses[at]?.group || `alone ${at}`).values()];
}

interface NumberedSet {
  readonly conditions: ReadonlySet<number>;
  readonly members: number[];
}

interface DerivedGroup {
  readonly group: ClauseGroup;
  readonly comparisons: number;
}

function deriveGroup(clauses: readonly Clause[], members: readonly number[]): DerivedGroup {
  if (members.length === 1) {
    const isPlain = clauses[members[0] ?? -1]?.conditions.length === 0;
    return {
      group: isPlain ? { plain: members, sets: [] } : { plain: [], sets: [{ members, above: [] }] },
      comparisons: 0,
    };
  }
  const numbers = new Map<string, number>();
  const sets = new Map<string, NumberedSet>();
  const plain: number[] = [];
  for (const at of members) {
    const conditions = clauses[at]?.conditions ?? [];
    if (conditions.length === 0) {
      plain.push(at);
      continue;
    }
    const own = numberConditions(conditions, numbers);
    const key = own.join(" ");
    const known = sets.get(key);
    if (known === undefined) sets.set(key, { conditions: new Set(own), members: [at] });
    else known.members.push(at);
  }
  const all = [...sets.values()];
  const candidates = listCandidates(all, numbers.size);
  const comparisons = candidates.reduce((sum, { length }) => sum + length, 0);
  const ordered = all.map((set, at): ConditionSet => {
    const above =
      comparisons > MOST_COMPARISONS ? [] : (candidates[at] ?? []).filter((other) => isAbove(all[other], set));
    return { members: set.members, above };
  });
  return { group: { plain, sets: ordered }, comparisons };
}

function isAbove(other: NumberedSet | undefined, { conditions }: NumberedSet): boolean {
  return other !== undefined && other.conditions.size > conditions.size && conditions.isSubsetOf(other.conditions);
}

/** Returns the number of each condition, ascending and each once; `numbers` has the numbers of all known conditions. */
function numberConditions(conditions: readonly Condition[], numbers: Map<string, number>): readonly number[] {
  const own = conditions.map((condition) => {
    const text = serializeCondition(condition);
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  });
  return [...new Set(own)].sort((one, other) => one - other);
}

/** Returns, for each set, the sets that share its rarest condition: only these sets can displace it. */
function listCandidates(sets: readonly NumberedSet[], conditions: number): readonly (readonly number[])[] {
  const holders: number[][] = Array.from({ length: conditions }, () => []);
  for (const [at, set] of sets.entries()) for (const number of set.conditions) holders[number]?.push(at);
  return sets.map((set) => {
    const [first = [], ...others] = [...set.conditions].map((number) => holders[number] ?? []);
    return others.reduce((few, some) => (some.length < few.length ? some : few), first);
  });
}

/** Mode that a list can give, and the clause that states it. */
export interface ClauseOutcome {
  /** Index of the clause. */
  readonly clause: number;
  readonly mode: Clause["met"];
}

/**
 * Returns the outcomes of a list of clauses whose conditions have these truth values, in the order of groups; the strictest outcome
 * decides. `truths` has the truth of each clause; none of them is unknown.
 */
export function listOutcomes(clauses: readonly Clause[], truths: readonly Truth[]): readonly ClauseOutcome[] {
  if (!hasGroups(clauses)) return clauses.map((clause, at) => decideAlone(clause, at, truths[at]));
  return planGroups(clauses).flatMap((group) => listGroupOutcomes(group, clauses, truths));
}

/** Returns the outcome of a clause that decides by itself. */
function decideAlone(clause: Clause, at: number, truth: Truth | undefined): ClauseOutcome {
  const { conditions, met, otherwise } = clause;
  if (conditions.length > 0 && !isMet(truth)) return { clause: at, mode: otherwise };
  return { clause: at, mode: truth === "holdsWeakly" ? weaken(met) : met };
}

function listGroupOutcomes(
  { sets, plain }: ClauseGroup,
  clauses: readonly Clause[],
  truths: readonly Truth[],
): readonly ClauseOutcome[] {
  const isMatching = (set: ConditionSet | undefined) => isMet(truths[set?.members[0] ?? -1]);
  const matching = sets.filter(isMatching);
  const left = matching.filter(({ above }) => !above.some((at) => isMatching(sets[at])));
  const deciding = matching.length > 0 ? left.flatMap(({ members }) => members) : plain;
  if (deciding.length > 0)
    return deciding.flatMap((at) => makeOutcome(clauses, at, truths[at] === "holdsWeakly" ? "metWeakly" : "met"));
  return sets.flatMap(({ members }) => members.flatMap((at) => makeOutcome(clauses, at, "otherwise")));
}

/**
 * Returns the clauses whose conditions hold and that another clause of their group displaces, each with the first clause that
 * displaces it. `truths` has the truth of each clause; none of them is unknown.
 */
export function findDisplaced(clauses: readonly Clause[], truths: readonly Truth[]): ReadonlyMap<number, number> {
  const displaced = new Map<number, number>();
  for (const { sets, plain } of planGroups(clauses)) {
    const findHolding = (some: readonly ConditionSet[]) =>
      some.flatMap(({ members }) => members.slice(0, 1)).find((at) => isMet(truths[at]));
    for (const { members, above } of sets) {
      const by = findHolding(above.flatMap((at) => sets[at] ?? []));
      if (by !== undefined && isMet(truths[members[0] ?? -1])) for (const at of members) displaced.set(at, by);
    }
    const by = findHolding(sets);
    if (by !== undefined) for (const at of plain) displaced.set(at, by);
  }
  return displaced;
}

function isMet(truth: Truth | undefined): boolean {
  return truth === "holds" || truth === "holdsWeakly";
}

function makeOutcome(
  clauses: readonly Clause[],
  at: number,
  part: "met" | "metWeakly" | "otherwise",
): readonly ClauseOutcome[] {
  const clause = clauses[at];
  if (clause === undefined) return [];
  return [{ clause: at, mode: part === "metWeakly" ? weaken(clause.met) : clause[part] }];
}

/** Returns whether a condition of the clause asks for the source of an argument. */
export function asksForSources({ conditions }: Pick<Clause, "conditions">): boolean {
  return conditions.some(({ operator }) => operator === "from");
}

/** Returns the modes that a clause can give to a call. */
export function listClauseModes(clause: Clause): readonly Clause["met"][] {
  const { conditions, met, otherwise } = clause;
  if (conditions.length === 0) return [met];
  return asksForSources(clause) ? [...new Set([met, weaken(met), otherwise])] : [met, otherwise];
}

/**
 * Returns the mode that a clause gives in place of `mode` if its conditions hold only because of words that an outsider
 * may have chosen. The mode becomes `consent` if it is `auto`, and otherwise stays.
 */
export function weaken(mode: Clause["met"]): Clause["met"] {
  return mode === "auto" ? "consent" : mode;
}

/**
 * Returns, for each group of clauses, every way in which it can decide, whatever conditions the arguments meet. A way
 * is a list of outcomes, of which the strictest counts.
 */
export function listWays(clauses: readonly Clause[]): readonly (readonly (readonly ClauseOutcome[])[])[] {
  return planGroups(clauses).map(({ sets, plain }) => {
    const matched = sets.map(({ members }) => members.flatMap((at) => makeOutcome(clauses, at, "met")));
    const unmatched =
      plain.length > 0
        ? plain.flatMap((at) => makeOutcome(clauses, at, "met"))
        : sets.flatMap(({ members }) => members.flatMap((at) => makeOutcome(clauses, at, "otherwise")));
    return [...matched, unmatched];
  });
}
