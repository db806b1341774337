// Computes the effect of a changed decision. It finds out whether any call is decided more loosely or more strictly
// than before, and gives example arguments. The module that finds the arguments is also used by the proofs.

import { isStricter, type Label, type PermissionMode } from "../../../engine/lib/policy/index.ts";
import type { Decision, Param } from "../../../engine/lib/wire/generated/policy.ts";
import { normalizeGroups, reachOfList, serializeValue } from "../../phases/policy/index.ts";
import { chooseStrictest, findModePairs, type ModePair } from "../../phases/prove/index.ts";
import { enumerateSituations, type FloorOutcome, type Situation } from "./situations.ts";

/** A call whose decision changed. */
export interface DecisionChange {
  readonly before: PermissionMode;
  readonly after: PermissionMode;
  /** Arguments as canonical JSON; absent if the search found no example but cannot exclude one. */
  readonly arguments?: string;
  /** Example of a conversation with this decision; absent if the decision does not depend on the conversation. */
  readonly situation?: Situation;
}

export interface DecisionComparison {
  /** Example call; absent if certainly no call is decided more loosely. */
  readonly widens?: DecisionChange;
  /** Example call; absent if certainly no call is decided more strictly. */
  readonly narrows?: DecisionChange;
}

/** Decision about a tool in one session, task, phase or worker. `undefined` if the tool does not exist there. */
type CellDecision = Decision | undefined;

/** Decision of a hidden tool, which forbids every call. */
const NEVER: Decision = {
  clauses: [{ conditions: [], met: "forbidden", otherwise: "forbidden", rule: 0, group: 0 }],
  floors: [],
};

/** Compares two decisions of one lattice. `starts` is a label that every conversation has at least. */
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
  const widens =
    pickExample(known, isLooser) ?? (all || isAtLeastAsStrict(now, old) ? undefined : estimateChange(old, now));
  const narrows =
    pickExample(known, isTighter) ?? (all || isAtLeastAsStrict(old, now) ? undefined : estimateChange(old, now));
  return { ...(widens && { widens }), ...(narrows && { narrows }) };
}

/** Compares both lists in conversations that meet the same floors with conditions. */
function compareIn(
  params: readonly Param[],
  old: Decision,
  now: Decision,
  situations: readonly FloorOutcome[],
): { readonly changes: readonly DecisionChange[]; readonly complete: boolean } {
  const { before = [], after = [] } = situations[0]?.asking ?? {};
  const { pairs, complete } = findModePairs(params, { ...old, floors: before }, { ...now, floors: after });
  return { changes: pairs.flatMap((pair) => situations.map((one) => evaluatePair(pair, one))), complete };
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
    ...(plain ? {} : { situation: { label, unattended } }),
  };
}

/**
 * Returns whether `first` is certainly at least as strict as `second`. This is the case if no outcome is looser, or if
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

/** Returns an estimate for decisions that are too large to compare. It uses only the strictest outcome of each list. */
function estimateChange(before: Decision, after: Decision): DecisionChange {
  return { before: computeStrictest(before), after: computeStrictest(after) };
}

function computeStrictest({ clauses, floors }: Decision): PermissionMode {
  return chooseStrictest([reachOfList(clauses).strictest, ...floors.map(({ mode }) => mode)]);
}
