// Describes what a change of tables alters for other calls of one tool in one row: those with other arguments than the call that was asked
// about.
import type { Clause, Condition, Decision, Floor, Param, Row } from "../wire/generated/policy.ts";
import { findList } from "./decision-text.ts";
import { type RowChange, renderChanged, serializeMeaning } from "./difference.ts";
import { listReleaseChanges } from "./release-changes.ts";
import { formatRowPath } from "./row-path.ts";
import type { IndexedTables } from "./tables.ts";

/** State before or after a change: the tables, and the row of the call in these tables. */
interface RowOf {
  readonly tables: IndexedTables;
  readonly row: Row;
}

/**
 * Returns how a change of the tables changes decisions about other calls of the tool `name` in the same row. These are
 * calls with other arguments, and calls in conversations with data that a release now treats differently. Returns an
 * empty list if these decisions certainly do not change.
 */
export function listOwnOpenings(before: RowOf, after: RowOf, name: string): readonly RowChange[] {
  const [was, is] = [before, after].map(({ tables }) => tables.toolIndex.get(name) ?? -1);
  const tool = after.tables.tools[is ?? -1];
  if (tool === undefined || was === undefined || is === undefined) return [];
  const place = formatRowPath(after.row);
  const [old, now] = [findList(before.tables, before.row, was), findList(after.tables, after.row, is)];
  const released = listReleaseChanges({ ...before, tool: was }, { ...after, tool: is });
  // A tool without parameters has only one call.
  const isSame = tool.params.length === 0 || serializeMeaning(old) === serializeMeaning(now);
  const isAlone = old !== undefined && now !== undefined && isAboutOneCall(old, now, tool.params);
  const opened = isSame || isAlone ? [] : [addArguments(renderChanged(old, now), describeOthers(old, now))];
  // A decision with conditions already states for which arguments it holds.
  const isAny = describeOthers(old, now) === "any";
  return [...opened, ...released.map((change) => (isAny ? addArguments(change, "any") : change))].map((change) => ({
    place,
    what: name,
    ...change,
  }));
}

function describeOthers(old: Decision | undefined, now: Decision | undefined): "other" | "any" {
  const isConditional = [old, now].some((list) => listLines(list).some(({ conditions }) => conditions.length > 0));
  return isConditional ? "other" : "any";
}

function addArguments(
  { before, after }: Pick<RowChange, "before" | "after">,
  which: "other" | "any",
): Pick<RowChange, "before" | "after"> {
  return { before, after: `${after}, with ${which} arguments` };
}

type Line = Clause | Floor;

function listLines(list: Decision | undefined): readonly Line[] {
  return list === undefined ? [] : [...list.clauses, ...list.floors];
}

/**
 * Returns whether two decisions differ only in the mode of one line, and this line is about one call, because its
 * conditions name the value of each parameter. `true` is certain; `false` may be wrong.
 */
function isAboutOneCall(old: Decision, now: Decision, params: readonly Param[]): boolean {
  const changed = now.clauses.filter((clause, at) => serializeLine(clause) !== serializeLine(old.clauses[at]));
  const [line] = changed;
  const before = line && old.clauses[now.clauses.indexOf(line)];
  const isSameElsewhere =
    changed.length === 1 &&
    now.clauses.length === old.clauses.length &&
    old.floors.map(serializeLine).join() === now.floors.map(serializeLine).join();
  if (!isSameElsewhere || line === undefined || before === undefined) return false;
  // If a condition of a line that did not change is unknown, the strictest mode of all lines decides. The new mode of
  // the changed line may then change the decision about other calls.
  const isOnlyCondition = listLines(now).every((one) => one === line || one.conditions.length === 0);
  const isSameLine = serializeLine({ ...before, met: line.met }) === serializeLine(line);
  return isOnlyCondition && isSameLine && params.every((param) => isPinned(param, line.conditions));
}

/** Returns whether the conditions hold for at most one value of a parameter, and can be evaluated for every value. */
function isPinned({ name, type, required }: Param, conditions: readonly Condition[]): boolean {
  const isPlain = type.which === "text" || type.which === "choice" || type.which === "boolean";
  return required && isPlain && conditions.some((condition) => isEquality(condition, name, type.which));
}

function isEquality({ path, term, operator, each, extract, literals }: Condition, name: string, type: string): boolean {
  const [literal] = literals;
  const isOfType = literal?.which === (type === "boolean" ? "boolean" : "text");
  const isWhole = path.length === 1 && path[0] === name && term === "value" && each === "single" && extract === "none";
  return isWhole && isOfType && operator === "equal" && literals.length === 1;
}

function serializeLine(line: Line | undefined): string {
  const { rule: _, ...rest } = line ?? { rule: 0 };
  return JSON.stringify(rest, (_key, part: unknown) => (typeof part === "bigint" ? `${part}n` : part));
}
