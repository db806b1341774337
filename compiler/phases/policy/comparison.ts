import { encodeCondition, serializeValue } from "./clauses.ts";
import type { CellFloor, Clause } from "./layers.ts";
import type { Answer } from "./resolve.ts";
import { isLooser, reachOf } from "./strictness.ts";

/** Returns whether the tool is not suppressed and a line covers it; a `forbidden` line counts too. */
export function isCovered(answer: Answer | undefined): answer is Answer {
  return answer !== undefined && !answer.suppressed && answer.clauses.length > 0;
}

/** Returns whether the tool may run for some arguments in some conversation. */
export function canRun(answer: Answer | undefined): boolean {
  return isCovered(answer) && reachOf(answer.clauses).loosest !== "forbidden";
}

/**
 * Returns whether, for all arguments, the first answer is at least as strict as the second. Also returns `false` if the
 * strictness of the answers cannot be compared.
 */
export function isAtLeastAsStrict(first: Answer, second: Answer): boolean {
  if (!canRun(first)) return true;
  if (!canRun(second)) return false;
  const { loosest } = reachOf(first.clauses);
  const holds = new Set(serializeGroups(first.clauses));
  const sameLines = serializeGroups(second.clauses).every((group) => holds.has(group));
  const clauses = sameLines || !isLooser(loosest, reachOf(second.clauses).strictest);
  const floors = new Set(first.floors.map(serializeFloor));
  return (
    clauses && second.floors.every((floor) => floors.has(serializeFloor(floor)) || !isLooser(loosest, floor.floor.mode))
  );
}

/**
 * Returns one text for each group of clauses: those of one layer and pattern. Of the clauses of a group that match a
 * call, only the most specific ones decide. So one more clause may make a group looser, and a text must state the
 * meaning of the whole group.
 */
function serializeGroups(clauses: readonly Clause[]): readonly string[] {
  const groups = Map.groupBy(clauses, ({ group }) => group);
  return [...groups.values()].map((group) => [...new Set(group.map(serializeMeaning))].sort().join("\n"));
}

function serializeMeaning({ checks, met, otherwise }: Clause): string {
  return serializeValue({ conditions: checks.map(encodeCondition), met, otherwise });
}

function serializeFloor({ floor }: CellFloor): string {
  const { node: _, ...when } = floor.when;
  return serializeValue({ mode: floor.mode, when, conditions: floor.checks.map(encodeCondition) });
}
