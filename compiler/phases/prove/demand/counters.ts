import type { IndexedTables } from "../../../../engine/lib/policy/index.ts";
import type { Quota, Row } from "../../../../engine/lib/wire/generated/policy.ts";

/** The rows that one conversation can enter: the rows of a task, or the rows of a session outside of tasks. */
export interface ConversationRows {
  readonly session: string;
  /** Name of the task; empty outside of tasks. */
  readonly task: string;
  /** Indexes into the tables' rows. */
  readonly rows: readonly number[];
}

/** Groups the rows by session and task, in the order of the tables' rows. */
export function groupRowsByConversation({ rows }: IndexedTables): readonly ConversationRows[] {
  const groups = Map.groupBy(rows.entries(), ([, { session, task }]) => JSON.stringify([session, task]));
  return [...groups.values()].flatMap((placed) => {
    const [first] = placed;
    if (first === undefined) return [];
    const [, { session, task }] = first;
    return [{ session, task, rows: placed.map(([index]) => index) }];
  });
}

/** A quota line whose count is not reset during a conversation. */
interface Counter {
  readonly quota: Quota;
  /** Indexes into the tables' rows; the count continues from one of these rows to the next. */
  readonly rows: ReadonlySet<number>;
}

/**
 * Whether a scope lasts for a whole conversation. A turn ends earlier than the conversation, and a conversation may
 * last longer than a day.
 */
const LASTS_WHOLE_CONVERSATION = {
  call: false,
  turn: false,
  conversation: true,
  task: true,
  login: true,
  principal: true,
  hour: false,
  day: false,
} as const satisfies Record<Quota["scope"], boolean>;

/**
 * Returns the counters that limit the prompts of a conversation. If a row lacks a quota, the count starts again after
 * that row. So the quota counts as two counters: one before the row and one after it. A quota that only workers have
 * starts again with each worker, so it does not limit the prompts of the whole conversation.
 */
export function collectCounters(tables: IndexedTables, conversation: ConversationRows): readonly Counter[] {
  const open = new Map<number, { quota: Quota; rows: Set<number> }>();
  const counters: Counter[] = [];
  for (const { row, all } of orderPhases(tables, conversation)) {
    const lasting = row.quotas.filter(
      ({ scope, rule }) =>
        LASTS_WHOLE_CONVERSATION[scope] && all.every((index) => hasQuotaOfRule(tables.rows[index], rule)),
    );
    const lastingByRule = new Map(lasting.map((quota) => [quota.rule, quota]));
    for (const rule of [...open.keys()]) if (!lastingByRule.has(rule)) open.delete(rule);
    for (const [rule, quota] of lastingByRule) {
      const counter = open.get(rule) ?? { quota, rows: new Set<number>() };
      if (!open.has(rule)) counters.push(counter);
      open.set(rule, counter);
      for (const index of all) counter.rows.add(index);
    }
  }
  return counters;
}

function hasQuotaOfRule(row: Row | undefined, rule: number): boolean {
  return row?.quotas.some((quota) => quota.rule === rule) === true;
}

interface Phase {
  readonly row: Row;
  /** Indexes into the tables' rows: first the row of the phase, then the rows of its workers. */
  readonly all: readonly number[];
}

/** Returns the phases in the order in which conversations pass through them. */
function orderPhases(tables: IndexedTables, { rows }: ConversationRows): readonly Phase[] {
  const placed = rows.flatMap((index) => {
    const row = tables.rows[index];
    return row === undefined ? [] : [{ index, row }];
  });
  const workers = placed.filter(({ row }) => row.worker !== "");
  return placed
    .filter(({ row }) => row.worker === "")
    .sort((one, other) => one.row.phaseIndex - other.row.phaseIndex)
    .map(({ index, row }) => {
      const own = workers.filter((worker) => worker.row.phase === row.phase);
      return { row, all: [index, ...own.map((worker) => worker.index)] };
    });
}
