import type { IndexedTables } from "../../../engine/lib/policy/index.ts";
import type { Quota, Row } from "../../../engine/lib/wire/generated/policy.ts";
import type { BoundQuota } from "../bind/index.ts";
import { type CallSet, enumerateGoalStates, type GoalState } from "./goal.ts";
import { ANY_GATE, encodeGate, NO_GATE } from "./modes.ts";
import { createCallGoal, NO_HISTORY } from "./obligations.ts";
import type { Searches } from "./searches.ts";

// `assert limit`: in every row that can consume the limited unit, some quota of the page must cover the limit. Each
// quota line has its own counter, so rows whose uses count together need the same quota line.

/**
 * Rows whose uses of the limited unit are added up for the limit, such as all rows of one task. No quota line of the
 * page covers the limit in all of these rows.
 */
interface UncoveredRows {
  /** The first of the uncovered rows that can consume the limited unit. */
  readonly row: number;
  /**
   * Calls in uncovered rows that consume one unit, each with the state before the call. Those with the fewest steps
   * come first. `undefined` for tokens, bytes and money.
   */
  readonly consumption: Iterable<GoalState> | undefined;
}

/**
 * Searches rows whose uses of the limited unit are added up and may exceed the limit. Returns the first such rows, or
 * `undefined` if quotas cover the limit in all rows.
 */
export function findUncoveredRows(
  searches: Searches,
  asked: readonly boolean[],
  limit: BoundQuota,
): UncoveredRows | undefined {
  const { space } = searches;
  const { rows } = space.tables;
  const calls = findConsumingCalls(space.tables, limit);
  const canConsume = createConsumptionTest(searches, calls, limit);
  const gated = new Set(rows.filter(({ entry }) => entry !== "auto").map(formatTaskKey));
  const indexes = rows.flatMap((_, index) => (asked[index] ? [index] : []));
  const groups = Map.groupBy(indexes, (index) => computeCounterKey(rows[index], index, limit.scope));
  for (const group of groups.values()) {
    const consuming = group.filter(canConsume);
    const [first] = consuming;
    if (first === undefined || isCovered(space.tables, gated, consuming, limit)) continue;
    const goal = calls && createCallGoal(markRows(rows, consuming), calls.tools, calls.gates);
    return { row: first, consumption: goal && enumerateGoalStates(space, searches.exploreFor(NO_HISTORY), goal) };
  }
  return undefined;
}

/** Returns a key that rows of the same session and task share. */
function formatTaskKey({ session, task }: Row): string {
  return `${session}/${task}`;
}

/** Returns a key that rows share if their use of the unit counts together for a limit of this scope. */
function computeCounterKey(row: Row | undefined, index: number, scope: BoundQuota["scope"]): string {
  switch (scope) {
    case "call":
    case "turn":
      return `${index}`;
    case "conversation":
    case "task":
      return row ? formatTaskKey(row) : "";
    case "login":
    case "principal":
    case "hour":
    case "day":
      return `${row?.session}`;
  }
}

/** Returns a function that tests whether a row can consume the unit. */
function createConsumptionTest(
  searches: Searches,
  calls: CallSet | undefined,
  { unit }: BoundQuota,
): (index: number) => boolean {
  // The tables do not state the number of tokens or bytes, or the amount of money, that answers and texts use. So any
  // row in which a tool or a backend can run may use tokens, bytes or money.
  if (calls === undefined) return (index) => searches.space.tables.rows[index]?.requiresTask !== true;
  const { reachability, space } = searches;
  const { kindOf } = space.kinds;
  // Check only one tool of each kind, because there may be many rows and assertions.
  const tools = [...new Map(calls.tools.map((tool) => [kindOf[tool], tool])).values()];
  return (index) =>
    // Entering a phase behind a gate also causes a prompt.
    (unit === "prompts" && space.tables.rows[index]?.entry !== "auto") ||
    tools.some((tool) => (reachability.getReachedGates(index, tool) & calls.gates) !== NO_GATE);
}

function markRows(rows: readonly Row[], wanted: readonly number[]): boolean[] {
  const among = new Set(wanted);
  return rows.map((_, index) => among.has(index));
}

/**
 * Returns the calls that consume the unit; `undefined` for tokens, bytes and money, because no call certainly consumes
 * them.
 */
function findConsumingCalls({ tools, lineage }: IndexedTables, limit: BoundQuota): CallSet | undefined {
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

/**
 * Returns whether one quota line of the page counts the unit in all of these rows. The scope of the quota must be the
 * scope of the limit or a wider one.
 */
function isCovered(
  { rows }: IndexedTables,
  gated: ReadonlySet<string>,
  indexes: readonly number[],
  limit: BoundQuota,
): boolean {
  const [first, ...others] = indexes.flatMap((index) => {
    const row = rows[index];
    return row
      ? [new Set(row.quotas.filter((quota) => isCoveredBy(gated, row, quota, limit)).map(({ rule }) => rule))]
      : [];
  });
  return [...(first ?? [])].some((rule) => others.every((rules) => rules.has(rule)));
}

function isCoveredBy(gated: ReadonlySet<string>, row: Row, quota: Quota, limit: BoundQuota): boolean {
  return (
    quota.amount <= limit.amount &&
    isCountedBy(gated, row, quota, limit) &&
    isScopeCovered(row, quota.scope, limit.scope)
  );
}

/**
 * Returns whether a quota counts every use of the limited unit. `gated` are the sessions and tasks with a gate before
 * some phase.
 */
function isCountedBy(gated: ReadonlySet<string>, row: Row, quota: Quota, { unit, name }: BoundQuota): boolean {
  if (quota.unit === unit && quota.name === name) return true;
  if (quota.unit !== "calls") return false;
  if (unit === "category") return true;
  // Each prompt belongs to a call, except the prompts before phases.
  return unit === "prompts" && !gated.has(formatTaskKey(row));
}

const SCOPE_ORDER = { call: 0, turn: 1, conversation: 2, task: 2, login: 3, principal: 4 } as const;
const TIME_ORDER = { hour: 0, day: 1 } as const;

/** Returns whether a quota with the scope `quotaScope` also limits the uses within every period of `limitScope`. */
function isScopeCovered({ task }: Row, quotaScope: Quota["scope"], limitScope: Quota["scope"]): boolean {
  if (isHours(quotaScope) || isHours(limitScope))
    return isHours(quotaScope) && isHours(limitScope) && TIME_ORDER[quotaScope] >= TIME_ORDER[limitScope];
  // Outside of a task, a quota per task counts nothing.
  if (quotaScope === "task" && task === "") return false;
  return SCOPE_ORDER[quotaScope] >= SCOPE_ORDER[limitScope];
}

function isHours(scope: Quota["scope"]): scope is keyof typeof TIME_ORDER {
  return scope === "hour" || scope === "day";
}
