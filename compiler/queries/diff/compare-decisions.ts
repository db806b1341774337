// Computes the effect of a changed decision. It finds out whether any call is decided more loosely or more strictly
// than before, and gives example arguments. The module that finds the arguments is also used by the proofs.

import { type ChosenValues, isStricter, type Label, type PermissionMode } from "../../../engine/lib/policy/index.ts";
import type { Decision, Param } from "../../../engine/lib/wire/generated/policy.ts";
import { MODES } from "../../../lang/grammar/index.ts";
import { normalizeGroups, reachOfList, serializeValue } from "../../phases/policy/index.ts";
import {
  chooseStrictest,
  findModePairs,
  type Heard,
  listConceivablePairs,
  type ModePair,
  nameOrigins,
} from "../../phases/prove/index.ts";
import { enumerateSituations, type FloorOutcome, type Situation } from "./situations.ts";

/** A call whose decision changed. */
export interface DecisionChange {
  readonly before: PermissionMode;
  readonly after: PermissionMode;
  /** Arguments as canonical JSON; absent if the search found no example but cannot exclude one. */
  readonly arguments?: string;
  /** Values that the conversation must have read before the call; absent if the decision does not depend on them. */
  readonly heard?: readonly Heard[];
  /** Values of the task's parameters; absent if the decision does not depend on them. */
  readonly chosen?: ChosenValues;
  /** Example of a conversation with this decision; absent if the decision does not depend on the conversation. */
  readonly situation?: Situation;
}

export interface DecisionComparison {
  /** Example of a call that is decided more loosely; absent if certainly no call is. */
  readonly widens?: DecisionChange;
  /** Example of a call that is decided more strictly; absent if certainly no call is. */
  readonly narrows?: DecisionChange;
}

/** Decision about a tool in one session, task, phase or worker. `undefined` if the tool does not exist there. */
type CellDecision = Decision | undefined;

/** Decision of a hidden tool, which forbids every call. */
const NEVER: Decision = {
  clauses: [{ conditions: [], met: "forbidden", otherwise: "forbidden", rule: 0, group: 0 }],
  floors: [],
};

/** Compares two decisions that have the same lattice. Every conversation has at least the label `starts`. */
export function compareDecisions(
  params: readonly Param[],
  before: CellDecision,
  after: CellDecision,
  starts: Label,
): DecisionComparison {
  const [old, now] = [before ?? NEVER, after ?? NEVER];
  const floored = enumerateSituations(old.floors, now.floors, starts);
  const groups = [...Map.groupBy(floored.situations, ({ asking }) => serializeValue(asking)).values()];
  const judged = groups.map((situations) => compareIn(params, old, now, situations));
  const known = judged.flatMap(({ changes }) => changes);
  const all = floored.complete && judged.every(({ complete }) => complete);
  // Changes that the search did not find, but cannot exclude; `undefined` if every change is possible.
  const left = all ? [] : floored.complete ? joinConceivable(judged) : undefined;
  const widens =
    pickExample(known, isLooser) ??
    (left === undefined
      ? isAtLeastAsStrict(now, old)
        ? undefined
        : { before: computeStrictest(old), after: computeLoosest(now) }
      : pickExtreme(left, isLooser));
  const narrows =
    pickExample(known, isTighter) ??
    (left === undefined
      ? isAtLeastAsStrict(old, now)
        ? undefined
        : { before: computeLoosest(old), after: computeStrictest(now) }
      : pickExtreme(left, isTighter));
  return { ...(widens && { widens }), ...(narrows && { narrows }) };
}

interface ComparedSituations {
  /** Changes with example arguments, and changes that the search could not exclude. */
  readonly changes: readonly DecisionChange[];
  readonly complete: boolean;
  /**
   * Possible changes without example arguments. They include all changes that the search did not find; `undefined` if
   * they are too many to list.
   */
  readonly conceivable: readonly DecisionChange[] | undefined;
}

/** Compares both lists in situations in which the same floors with conditions apply. */
function compareIn(
  params: readonly Param[],
  old: Decision,
  now: Decision,
  situations: readonly FloorOutcome[],
): ComparedSituations {
  const { before = [], after = [] } = situations[0]?.asking ?? {};
  const [older, newer] = [
    { ...old, floors: before },
    { ...now, floors: after },
  ];
  const { pairs, complete } = findModePairs(params, older, newer);
  const evaluateAll = (some: readonly ModePair[]) =>
    some.flatMap((pair) => situations.map((one) => evaluatePair(pair, one)));
  const isSure = complete && pairs.every((pair) => pair.arguments !== undefined);
  const conceivable = isSure ? [] : listConceivablePairs(older, newer);
  const possible = new Set(conceivable?.map(renderModes));
  const kept = pairs.filter(
    (pair) => pair.arguments !== undefined || conceivable === undefined || possible.has(renderModes(pair)),
  );
  return {
    changes: evaluateAll(kept),
    complete,
    conceivable: complete ? [] : conceivable && evaluateAll(conceivable),
  };
}

function renderModes({ before, after }: Pick<ModePair, "before" | "after">): string {
  return `${before} ${after}`;
}

function joinConceivable(judged: readonly ComparedSituations[]): readonly DecisionChange[] | undefined {
  const lists = judged.map(({ conceivable }) => conceivable);
  return lists.every((list) => list !== undefined) ? lists.flat() : undefined;
}

/** Returns the wanted change whose modes differ most; if several changes differ equally, returns the first of them. */
function pickExtreme(
  all: readonly DecisionChange[],
  wanted: (one: DecisionChange) => boolean,
): DecisionChange | undefined {
  const measure = ({ before, after }: DecisionChange) => Math.abs(MODES.indexOf(before) - MODES.indexOf(after));
  return all
    .filter(wanted)
    .reduce<DecisionChange | undefined>((most, one) => (most && measure(most) >= measure(one) ? most : one), undefined);
}

function isLooser({ before, after }: DecisionChange): boolean {
  return isStricter(before, after);
}

function isTighter({ before, after }: DecisionChange): boolean {
  return isStricter(after, before);
}

/**
 * Returns an example with arguments if the search found one. Otherwise returns an example without arguments, which the
 * search could not exclude.
 */
function pickExample(
  all: readonly DecisionChange[],
  wanted: (one: DecisionChange) => boolean,
): DecisionChange | undefined {
  const found = all.filter(wanted);
  return found.find((one) => one.arguments !== undefined) ?? found[0];
}

function evaluatePair(pair: ModePair, floored: FloorOutcome): DecisionChange {
  const { label, unattended } = floored;
  const { asking } = floored;
  const isAsking = asking.before.length > 0 || asking.after.length > 0;
  const plain = floored.before === "auto" && floored.after === "auto" && !isAsking;
  return {
    before: chooseStrictest([pair.before, floored.before]),
    after: chooseStrictest([pair.after, floored.after]),
    ...(pair.arguments === undefined ? {} : { arguments: pair.arguments }),
    ...(pair.heard === undefined || pair.heard.length === 0 ? {} : { heard: nameOrigins(pair.heard) }),
    ...(pair.chosen === undefined ? {} : { chosen: pair.chosen }),
    ...(plain ? {} : { situation: { label, unattended } }),
  };
}

/**
 * Returns whether `first` is certainly at least as strict as `second`. This is certain if no outcome is looser, or if
 * `first` contains all groups and floors of `second`. A group is a set of lines that decide together. An additional
 * group never makes a list looser.
 */
function isAtLeastAsStrict(first: Decision, second: Decision): boolean {
  if (!isStricter(computeStrictest(second), reachOfList(first.clauses).loosest)) return true;
  const groups = new Set(normalizeGroups(first.clauses).map(serializeValue));
  const floors = new Set(first.floors.map(renderFloorKey));
  return (
    normalizeGroups(second.clauses).every((group) => groups.has(serializeValue(group))) &&
    second.floors.every((floor) => floors.has(renderFloorKey(floor)))
  );
}

function renderFloorKey({ rule: _, ...floor }: Decision["floors"][number]): string {
  return serializeValue(floor);
}

/** Returns the loosest possible outcome of a list, without its floors. */
function computeLoosest({ clauses }: Decision): PermissionMode {
  return reachOfList(clauses).loosest;
}

function computeStrictest({ clauses, floors }: Decision): PermissionMode {
  return chooseStrictest([reachOfList(clauses).strictest, ...floors.map(({ mode }) => mode)]);
}
