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
  /**
   * Changes to a looser decision: first the change to the loosest new mode, then the change with the most modes between
   * old and new mode. A smaller change may come before each of these: if only the smaller one has an example call, or
   * an example whose origins are known. The list is empty if certainly no call is decided more loosely.
   */
  readonly widens: readonly DecisionChange[];
  /** Changes to a stricter decision, in a similar order: first the change to the strictest new mode. */
  readonly narrows: readonly DecisionChange[];
  /**
   * Whether it is certain that every call that is decided more loosely has a value of unknown origin. It is false if
   * no call is decided more loosely.
   */
  readonly onlyUnknownWidens: boolean;
}

/** Decision about a tool in one session, task, phase or worker. `undefined` if the tool does not exist there. */
type CellDecision = Decision | undefined;

/** Decision about a tool that does not exist on one side: it forbids every call. */
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
  // `left` lists changes of the mode for which the search found no arguments, but which it cannot exclude. It is
  // `undefined` if they cannot be listed; then the largest possible change is assumed.
  const left = all ? [] : floored.complete ? joinConceivable(judged) : undefined;
  const [loosened, tightened] =
    left === undefined ? [assumeWorst(old, now), assumeWorst(now, old).map(reverseChange)] : [left, left];
  const hasUnknown = ({ heard = [] }: DecisionChange) => heard.some(({ standing }) => standing === "unknown");
  const looser = [...known, ...loosened].filter(isLooser);
  return {
    widens: pickExamples(looser, measureLoosening),
    narrows: pickExamples([...known, ...tightened].filter(isTighter), measureTightening),
    onlyUnknownWidens:
      looser.some(hasUnknown) && groups.every((some) => isTightIfKnown(params, old, now, some)) && floored.complete,
  };
}

/** Returns the change from the strictest old mode to the loosest new mode, or nothing if no call can be decided more loosely. */
function assumeWorst(old: Decision, now: Decision): readonly DecisionChange[] {
  return isAtLeastAsStrict(now, old) ? [] : [{ before: computeStrictest(old), after: computeLoosest(now) }];
}

function reverseChange({ before, after }: DecisionChange): DecisionChange {
  return { before: after, after: before };
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

/** Compares the old and the new list in situations in which the same floors with conditions apply. */
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
  const conceivable = isSure ? [] : listConceivablePairs(params, older, newer);
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

/**
 * Returns whether `now` certainly decides no call in `situations` more loosely than `old`. Only conversations whose
 * texts are all known are considered.
 */
function isTightIfKnown(
  params: readonly Param[],
  old: Decision,
  now: Decision,
  situations: readonly FloorOutcome[],
): boolean {
  const { before = [], after = [] } = situations[0]?.asking ?? {};
  const pairs = listConceivablePairs(params, { ...old, floors: before }, { ...now, floors: after }, "known");
  return pairs?.every((pair) => situations.every((one) => !isLooser(evaluatePair(pair, one)))) === true;
}

function renderModes({ before, after }: Pick<ModePair, "before" | "after">): string {
  return `${before} ${after}`;
}

function joinConceivable(judged: readonly ComparedSituations[]): readonly DecisionChange[] | undefined {
  const lists = judged.map(({ conceivable }) => conceivable);
  return lists.every((list) => list !== undefined) ? lists.flat() : undefined;
}

/** Size of a change, measured by its outcome and by its step; a larger number is a greater change. */
type Measures = (change: DecisionChange) => { readonly outcome: number; readonly step: number };

function measureLoosening({ before, after }: DecisionChange): ReturnType<Measures> {
  return { outcome: -MODES.indexOf(after), step: MODES.indexOf(before) - MODES.indexOf(after) };
}

function measureTightening({ before, after }: DecisionChange): ReturnType<Measures> {
  return { outcome: MODES.indexOf(after), step: MODES.indexOf(after) - MODES.indexOf(before) };
}

/**
 * Returns the change with the greatest outcome, and the change with the greatest step. If one of these has no example
 * call, or needs a value of unknown origin, a change with a better example precedes it.
 */
function pickExamples(changes: readonly DecisionChange[], measure: Measures): readonly DecisionChange[] {
  const order =
    (list: (change: DecisionChange) => readonly number[]) => (one: DecisionChange, other: DecisionChange) => {
      const [left, right] = [list(one), list(other)];
      return left.map((value, at) => (right[at] ?? 0) - value).find((difference) => difference !== 0) ?? 0;
    };
  const compareOutcomes = order((change) => [measure(change).outcome, rankExample(change), measure(change).step]);
  const compareSteps = order((change) => [measure(change).step, measure(change).outcome, rankExample(change)]);
  const hasArguments = (change: DecisionChange) => change.arguments !== undefined;
  const picked = [compareOutcomes, compareSteps].flatMap((compare) => {
    const sorted = changes.toSorted(compare);
    const [greatest] = sorted;
    const example = sorted.find((change) => rankExample(change) === BEST) ?? sorted.find(hasArguments);
    return greatest === undefined || example === undefined || example === greatest
      ? sorted.slice(0, 1)
      : [example, greatest];
  });
  const byModes = new Map<string, DecisionChange>();
  for (const change of picked) if (!byModes.has(renderModes(change))) byModes.set(renderModes(change), change);
  return [...byModes.values()];
}

/** Rank of an example with arguments and known sources. */
const BEST = 2;

/** Returns how easily a reader can check an example: best if it has arguments, and if no source is unknown. */
function rankExample({ arguments: asked, heard = [] }: DecisionChange): number {
  if (asked === undefined) return 0;
  return heard.some(({ standing }) => standing === "unknown") ? 1 : BEST;
}

function isLooser({ before, after }: DecisionChange): boolean {
  return isStricter(before, after);
}

function isTighter({ before, after }: DecisionChange): boolean {
  return isStricter(after, before);
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
 * `first` contains all groups and floors of `second`. Each group of lines gives a mode, and the strictest of these
 * modes applies. So an additional group never makes a list looser.
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
