import type { PermissionMode } from "../wire/generated/capos.ts";
import type { Clause, Decision as DecisionList, Floor, Label } from "../wire/generated/policy.ts";
import { type ClauseOutcome, hasGroups, listClauseModes, listOutcomes, listWays, weaken } from "./clause-groups.ts";
import { evaluateConditions, type Known, type Truth } from "./condition.ts";
import type { JsonRecord } from "./json-reader.ts";

export type { PermissionMode };

const STRICTNESS = { auto: 0, consent: 1, stepUp: 2, forbidden: 3 } as const satisfies Record<PermissionMode, number>;

/** A mode, and the rule that requires it. */
export type RuledMode = Asked<"forbidden"> | GateMode;

/** Gate that can be passed, and the rule that requires it. */
export type GateMode = Asked<Exclude<PermissionMode, "forbidden">>;

interface Asked<Mode extends PermissionMode> {
  readonly mode: Mode;
  /** Index into the tables' rules. */
  readonly rule: number;
}

/** Data about a conversation that floors and conditions need. */
interface Seen extends Known {
  readonly label: Label;
  /** Whether no person is present to answer a question. */
  readonly unattended: boolean;
}

export function isStricter(a: PermissionMode, b: PermissionMode): boolean {
  return STRICTNESS[a] > STRICTNESS[b];
}

/**
 * Returns the strictest mode of all groups of clauses and of all floors that apply to these arguments. Of several equally strict modes it
 * returns the first, so that the result is stable.
 */
export function computeMode(list: DecisionList, args: JsonRecord, seen: Seen): RuledMode {
  let strictest = hasGroups(list.clauses)
    ? computeGroupedMode(list.clauses, args, seen)
    : computeClauseMode(list, args, seen);
  for (const floor of list.floors) if (isRaising(floor, args, seen)) strictest = pickStricter(strictest, floor);
  return strictest ?? FORBIDDEN;
}

/** Returns the strictest mode that the clauses of a list give if each of them decides alone; `undefined` if there are no clauses. */
function computeClauseMode(list: DecisionList, args: JsonRecord, known: Known): RuledMode | undefined {
  let strictest: RuledMode | undefined;
  let worst: RuledMode | undefined;
  for (const clause of list.clauses) {
    const outcome = findClauseOutcome(clause, args, known);
    if (outcome === undefined) worst ??= pickStrictest(list.clauses.flatMap(listClauseOutcomes));
    strictest = pickStricter(strictest, outcome ?? worst ?? FORBIDDEN);
  }
  return strictest;
}

function computeGroupedMode(clauses: readonly Clause[], args: JsonRecord, known: Known): RuledMode {
  return computeModeOfTruths(
    clauses,
    clauses.map(({ conditions }) => evaluateConditions(conditions, args, known)),
  );
}

/**
 * Returns the mode that the clauses of a list give together; `truths` has the truth value of each clause's conditions.
 * If one of these values is unknown, the result is the strictest mode that the list can give.
 */
export function computeModeOfTruths(clauses: readonly Clause[], truths: readonly Truth[]): RuledMode {
  if (truths.includes("unknown")) return pickStrictest(clauses.flatMap(listClauseOutcomes));
  return pickStrictest(listOutcomes(clauses, truths).map((outcome) => citeClause(clauses, outcome)));
}

function citeClause(clauses: readonly Clause[], { clause, mode }: ClauseOutcome): RuledMode {
  return { mode, rule: clauses[clause]?.rule ?? 0 };
}

/** Returns the mode of a list that depends neither on arguments nor on the conversation, otherwise `undefined`. */
export function findSettledMode({ clauses, floors }: DecisionList): RuledMode | undefined {
  const depends = floors.length > 0 || clauses.some(({ conditions }) => conditions.length > 0);
  return depends || clauses.length === 0 ? undefined : pickStrictest(clauses.flatMap(listClauseOutcomes));
}

/** Initial value of a search for the strictest mode; never returned, because readTables refuses a decision without clauses. */
const FORBIDDEN: RuledMode = { mode: "forbidden", rule: 0 };

function pickStricter(before: RuledMode | undefined, next: RuledMode): RuledMode {
  return before === undefined || isStricter(next.mode, before.mode) ? next : before;
}

/** Returns the strictest mode that any arguments could give. */
export function computeStrictestMode(list: DecisionList, seen: Seen): PermissionMode {
  return pickStrictest(listPossibleOutcomes(list, seen)).mode;
}

/**
 * Returns the mode that a tool is advertised with before there are arguments: the strictest gate that it can run behind. The
 * mode is `forbidden` only if the tool can never run, because a model does not try a forbidden tool.
 */
export function chooseAdvertisedMode(list: DecisionList, seen: Seen): PermissionMode {
  const always = findMetFloors(list, seen).filter(({ conditions }) => conditions.length === 0);
  const kindest = pickStrictest([...listLoosestOutcomes(list.clauses), ...always]).mode;
  if (kindest === "forbidden") return kindest;
  return pickStrictest(listPossibleOutcomes(list, seen).filter(({ mode }) => mode !== "forbidden")).mode;
}

function listPossibleOutcomes(list: DecisionList, seen: Seen): readonly RuledMode[] {
  return [...list.clauses.flatMap(listClauseOutcomes), ...findMetFloors(list, seen)];
}

/** Takes the loosest mode that arguments can give in each group, and returns the strictest of these modes. */
export function computeLoosestMode(clauses: readonly Clause[]): PermissionMode {
  return pickStrictest(listLoosestOutcomes(clauses)).mode;
}

function listLoosestOutcomes(clauses: readonly Clause[]): readonly RuledMode[] {
  return listWays(clauses).map((ways) =>
    ways
      .map((outcomes) => pickStrictest(outcomes.map((outcome) => citeClause(clauses, outcome))))
      .reduce((kindest, next) => (isStricter(kindest.mode, next.mode) ? next : kindest)),
  );
}

/**
 * Returns the mode of a clause, or `undefined` if its conditions are unknown: the strictest mode of the whole list then
 * applies.
 */
function findClauseOutcome(clause: Clause, args: JsonRecord, known: Known): RuledMode | undefined {
  const { conditions, met, otherwise, rule } = clause;
  switch (evaluateConditions(conditions, args, known)) {
    case "holds":
      return { mode: met, rule };
    case "holdsWeakly":
      return { mode: weaken(met), rule };
    case "fails":
      return { mode: otherwise, rule };
    case "unknown":
      return undefined;
  }
}

function listClauseOutcomes(clause: Clause): readonly RuledMode[] {
  return listClauseModes(clause).map((mode) => ({ mode, rule: clause.rule }));
}

function findMetFloors(list: DecisionList, seen: Seen): readonly Floor[] {
  return list.floors.filter((floor) => isMet(floor, seen));
}

/**
 * Returns whether a floor applies to a call with these arguments in this conversation. A condition that cannot be evaluated counts as met,
 * because a floor only makes decisions stricter.
 */
export function isRaising(floor: Floor, args: JsonRecord, seen: Seen): boolean {
  if (!isMet(floor, seen)) return false;
  return floor.conditions.length === 0 || evaluateConditions(floor.conditions, args, seen) !== "fails";
}

/** Returns whether a floor applies to a conversation with this label, for at least some arguments. */
export function isMet(floor: Floor, { label, unattended }: Seen): boolean {
  return (
    label.confidentiality >= floor.confidentialityAtLeast &&
    label.integrity <= floor.integrityAtMost &&
    (floor.compartments & ~label.compartments) === 0n &&
    (unattended || !floor.unattended)
  );
}

/** `ruled` is never empty, because readTables refuses a decision without clauses. */
function pickStrictest(ruled: readonly RuledMode[]): RuledMode {
  return ruled.reduce((strictest, next) => (isStricter(next.mode, strictest.mode) ? next : strictest));
}
