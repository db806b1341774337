import type { IndexedTables } from "../../../engine/lib/policy/index.ts";
import type { Quota, Row } from "../../../engine/lib/wire/generated/policy.ts";
import type { BoundQuota } from "../bind/index.ts";
import { createCallGoal, NOTHING } from "./asked.ts";
import { type CallGoal, enumerateReached, type Reached } from "./goal.ts";
import { ANY_GATE, encodeGate, NO_GATE } from "./modes.ts";
import type { Searches } from "./searches.ts";

// `assert limit`: some quota of the page has to hold it, in every row where something of it can be spent. Counters hang on
// their lines, so that rows which count together have to hold the same line.

/** Rows that count together and have no quota that holds the limit. */
interface Unheld {
  /** The first of them where something of it can be spent. */
  readonly row: number;
  /** Ways to spend one of it in these rows, the shortest first; undefined where calls are not what is counted. */
  readonly spending: Iterable<Reached> | undefined;
}

/** The first rows that count together and may use more; nothing where every one is held. */
export function findUnheldRows(searches: Searches, asked: readonly boolean[], limit: BoundQuota): Unheld | undefined {
  const { terrain } = searches;
  const { rows } = terrain.tables;
  const calls = findConsumingCalls(terrain.tables, limit);
  const spends = createConsumptionTest(searches, calls, limit);
  const gated = new Set(rows.filter(({ entry }) => entry !== "auto").map(formatCourseKey));
  const indexes = rows.flatMap((_, index) => (asked[index] ? [index] : []));
  const groups = Map.groupBy(indexes, (index) => computeCounterKey(rows[index], index, limit.scope));
  for (const group of groups.values()) {
    const spending = group.filter(spends);
    const [first] = spending;
    if (first === undefined || isHeld(terrain.tables, gated, spending, limit)) continue;
    const goal = calls && createCallGoal(markRows(rows, spending), calls.tools, calls.gates);
    return { row: first, spending: goal && enumerateReached(terrain, searches.exploreFor(NOTHING), goal) };
  }
  return undefined;
}

/** Equal for rows of one session and task. */
function formatCourseKey({ session, task }: Row): string {
  return `${session}/${task}`;
}

/** Equal for rows that one counter runs through. */
function computeCounterKey(row: Row | undefined, index: number, scope: BoundQuota["scope"]): string {
  switch (scope) {
    case "call":
    case "turn":
      return `${index}`;
    case "conversation":
    case "task":
      return row ? formatCourseKey(row) : "";
    case "login":
    case "principal":
    case "hour":
    case "day":
      return `${row?.session}`;
  }
}

/** Whether something of it can be spent in a row. */
function createConsumptionTest(
  searches: Searches,
  calls: Calls | undefined,
  { unit }: BoundQuota,
): (index: number) => boolean {
  // What inference and the length of texts use is not in the tables: something may always be spent.
  if (calls === undefined) return () => true;
  const { running, terrain } = searches;
  const { kindOf } = terrain.kinds;
  // One tool of each kind: rows and assertions are many.
  const tools = [...new Map(calls.tools.map((tool) => [kindOf[tool], tool])).values()];
  return (index) =>
    // To step into a phase is a prompt too.
    (unit === "prompts" && terrain.tables.rows[index]?.entry !== "auto") ||
    tools.some((tool) => (running.getReachedGates(index, tool) & calls.gates) !== NO_GATE);
}

function markRows(rows: readonly Row[], wanted: readonly number[]): boolean[] {
  const among = new Set(wanted);
  return rows.map((_, index) => among.has(index));
}

type Calls = Pick<CallGoal, "tools" | "gates">;

/** Calls that use some of it; undefined where no call is known to. */
function findConsumingCalls({ tools, lineage }: IndexedTables, limit: BoundQuota): Calls | undefined {
  const all = tools.map((_, index) => index);
  switch (limit.unit) {
    case "calls":
      return { tools: all, gates: ANY_GATE };
    case "prompts":
      return { tools: all, gates: ANY_GATE & ~encodeGate("auto") };
    case "category": {
      const counted = all.filter((index) => lineage[tools[index]?.category ?? 0]?.has(limit.name));
      return { tools: counted, gates: ANY_GATE };
    }
    case "tokens":
    case "bytes":
    case "money":
      return undefined;
  }
}

/** One line of the page that counts it in all of these rows, and over no less than is asked. */
function isHeld(
  { rows }: IndexedTables,
  gated: ReadonlySet<string>,
  indexes: readonly number[],
  limit: BoundQuota,
): boolean {
  const [first, ...others] = indexes.flatMap((index) => {
    const row = rows[index];
    return row
      ? [new Set(row.quotas.filter((quota) => isHeldBy(gated, row, quota, limit)).map(({ rule }) => rule))]
      : [];
  });
  return [...(first ?? [])].some((rule) => others.every((rules) => rules.has(rule)));
}

function isHeldBy(gated: ReadonlySet<string>, row: Row, quota: Quota, limit: BoundQuota): boolean {
  return (
    quota.amount <= limit.amount &&
    isCountedBy(gated, row, quota, limit) &&
    isScopeCovered(row, quota.scope, limit.scope)
  );
}

/** `gated`: sessions and tasks with a gate before some phase. */
function isCountedBy(gated: ReadonlySet<string>, row: Row, quota: Quota, { unit, name }: BoundQuota): boolean {
  if (quota.unit === unit && quota.name === name) return true;
  if (quota.unit !== "calls") return false;
  if (unit === "category") return true;
  // Each prompt is of a call, but for those before phases.
  return unit === "prompts" && !gated.has(formatCourseKey(row));
}

const LASTING = { call: 0, turn: 1, conversation: 2, task: 2, login: 3, principal: 4 } as const;
const HOURS = { hour: 0, day: 1 } as const;

/** Whether what is counted over one scope is counted over all of another. */
function isScopeCovered({ task }: Row, held: Quota["scope"], asked: Quota["scope"]): boolean {
  if (isHours(held) || isHours(asked)) return isHours(held) && isHours(asked) && HOURS[held] >= HOURS[asked];
  // Outside of a task nothing is counted for one.
  if (held === "task" && task === "") return false;
  return LASTING[held] >= LASTING[asked];
}

function isHours(scope: Quota["scope"]): scope is keyof typeof HOURS {
  return scope === "hour" || scope === "day";
}
