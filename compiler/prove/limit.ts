import type { IndexedTables } from "../../engine/policy/index.ts";
import type { Quota, Row } from "../../engine/wire/generated/policy.ts";
import type { BoundQuota } from "../bind/index.ts";
import { neverCall } from "./asked.ts";
import { type Goal, type Reached, reachedBy } from "./goal.ts";
import { ANY_GATE, gateBit } from "./modes.ts";
import type { Explored } from "./search.ts";
import type { Terrain } from "./terrain.ts";

// `assert limit`: some quota of the page has to hold it, in every row where something of it can be spent. Counters hang on
// their lines, so that rows which count together have to hold the same line.

/** Rows that count together and have no quota that holds the limit. */
export interface Unheld {
  /** The first of them where something of it can be spent. */
  readonly row: number;
  /** Ways to spend one of it in these rows, the shortest first; undefined where calls are not what is counted. */
  readonly spending: Iterable<Reached> | undefined;
}

export function unheldRows(
  terrain: Terrain,
  explored: Explored,
  asked: readonly boolean[],
  limit: BoundQuota,
): Unheld | undefined {
  const { rows } = terrain.tables;
  const indexes = rows.flatMap((_, index) => (asked[index] ? [index] : []));
  const groups = Map.groupBy(indexes, (index) => countedWith(rows[index], index, limit.scope));
  for (const group of groups.values()) {
    const spending = group.filter((index) => spends(terrain, explored, index, limit));
    const [first] = spending;
    if (first === undefined || isHeld(terrain.tables, spending, limit)) continue;
    const goal = spendingGoal(terrain.tables, only(rows, spending), limit);
    return { row: first, spending: goal && reachedBy(terrain, explored, goal) };
  }
  return undefined;
}

/** Equal for rows that one counter runs through. */
function countedWith(row: Row | undefined, index: number, scope: BoundQuota["scope"]): string {
  switch (scope) {
    case "call":
    case "turn":
      return `${index}`;
    case "conversation":
    case "task":
      return `${row?.session}/${row?.task}`;
    case "login":
    case "principal":
    case "hour":
    case "day":
      return `${row?.session}`;
  }
}

function spends(terrain: Terrain, explored: Explored, index: number, limit: BoundQuota): boolean {
  const { tables } = terrain;
  // To step into a phase is a prompt too.
  if (limit.unit === "prompts" && tables.rows[index]?.entry !== "auto") return true;
  const goal = spendingGoal(tables, only(tables.rows, [index]), limit);
  // What inference and the length of texts use is not in the tables: something may always be spent.
  if (goal === undefined) return true;
  return reachedBy(terrain, explored, goal).next().done !== true;
}

function only(rows: readonly Row[], wanted: readonly number[]): boolean[] {
  return rows.map((_, index) => wanted.includes(index));
}

/** Calls that use some of it; undefined where no call is known to. */
function spendingGoal(
  { tools, lineage }: IndexedTables,
  rows: readonly boolean[],
  limit: BoundQuota,
): Goal | undefined {
  const all = tools.map((_, index) => index);
  switch (limit.unit) {
    case "calls":
      return neverCall(rows, all, ANY_GATE);
    case "prompts":
      return neverCall(rows, all, ANY_GATE & ~gateBit("auto"));
    case "category":
      return neverCall(
        rows,
        all.filter((index) => lineage[tools[index]?.category ?? 0]?.has(limit.name)),
        ANY_GATE,
      );
    case "tokens":
    case "bytes":
    case "money":
      return undefined;
  }
}

/** One line of the page that counts it in all of these rows, and over no less than is asked. */
function isHeld(tables: IndexedTables, indexes: readonly number[], limit: BoundQuota): boolean {
  const [first, ...others] = indexes.flatMap((index) => {
    const row = tables.rows[index];
    return row ? [new Set(row.quotas.filter((quota) => holds(tables, row, quota, limit)).map(({ rule }) => rule))] : [];
  });
  return [...(first ?? [])].some((rule) => others.every((rules) => rules.has(rule)));
}

function holds(tables: IndexedTables, row: Row, quota: Quota, limit: BoundQuota): boolean {
  return quota.amount <= limit.amount && counts(tables, row, quota, limit) && lasts(row, quota.scope, limit.scope);
}

function counts({ rows }: IndexedTables, row: Row, quota: Quota, { unit, name }: BoundQuota): boolean {
  if (quota.unit === unit && quota.name === name) return true;
  if (quota.unit !== "calls") return false;
  if (unit === "category") return true;
  // Each prompt is of a call, but for those before phases.
  const gated = rows.some(
    ({ session, task, entry }) => session === row.session && task === row.task && entry !== "auto",
  );
  return unit === "prompts" && !gated;
}

const LASTING = { call: 0, turn: 1, conversation: 2, task: 2, login: 3, principal: 4 } as const;
const HOURS = { hour: 0, day: 1 } as const;

/** Whether what is counted over one scope is counted over all of another. */
function lasts({ task }: Row, held: Quota["scope"], asked: Quota["scope"]): boolean {
  if (isHours(held) || isHours(asked)) return isHours(held) && isHours(asked) && HOURS[held] >= HOURS[asked];
  // Outside of a task nothing is counted for one.
  if (held === "task" && task === "") return false;
  return LASTING[held] >= LASTING[asked];
}

function isHours(scope: Quota["scope"]): scope is keyof typeof HOURS {
  return scope === "hour" || scope === "day";
}
