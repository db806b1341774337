import type { Row } from "../wire/generated/policy.ts";
import type { Label } from "./label.ts";
import type { Sources } from "./sources.ts";
import type { IndexedTables } from "./tables.ts";
import type { ChosenValues } from "./task-parameters.ts";

/** The state that a decision depends on besides the tables and the call. The state is plain data; each step makes a new state. */
export interface Conversation {
  /** Index into the tables' rows. */
  readonly row: number;
  /** Label that rises with everything that the conversation reads. */
  readonly label: Label;
  /** Whether no person is present to answer a question. */
  readonly unattended: boolean;
  /** Used amount of each quota of the row, in the unit of the quota; the quotas keep their order. */
  readonly spent: readonly bigint[];
  /** Sources of the values that the conversation has read; absent if no rule of the page asks for them. */
  readonly sources?: Sources | undefined;
  /** Values of the task's parameters; absent if the task has none, or if they are not known. */
  readonly parameters?: ChosenValues | undefined;
}

/** Returns a new conversation in the session's own row, or `undefined` if the tables have no such session. */
export function openConversation(tables: IndexedTables, session: string): Conversation | undefined {
  const index = tables.rows.findIndex((row) => row.session === session && !row.task && !row.phase && !row.worker);
  const row = tables.rows[index];
  return row && beginIn(row, index);
}

/** Returns a new conversation in the row of this index. */
export function beginIn(row: Row, index: number): Conversation {
  return { row: index, label: row.starts, unattended: false, spent: row.quotas.map(() => 0n) };
}

/** Returns the conversation at the start of a turn: quotas per turn count from 0 again. */
export function startTurn(tables: IndexedTables, conversation: Conversation): Conversation {
  const quotas = tables.rows[conversation.row]?.quotas ?? [];
  const spent = quotas.map((quota, index) => (quota.scope === "turn" ? 0n : (conversation.spent[index] ?? 0n)));
  return { ...conversation, spent };
}

/**
 * Returns the conversation in another row of its session. The conversation's label does not change. Counters belong to their rules: a
 * counter that both rows have continues, and one that only the new row has begins at 0.
 */
export function moveTo(tables: IndexedTables, conversation: Conversation, index: number): Conversation {
  const before = tables.rows[conversation.row]?.quotas ?? [];
  const used = new Map(before.map(({ rule }, at) => [rule, conversation.spent[at] ?? 0n]));
  const spent = (tables.rows[index]?.quotas ?? []).map(({ rule }) => used.get(rule) ?? 0n);
  return { ...conversation, row: index, spent };
}
