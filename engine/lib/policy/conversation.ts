import type { Row } from "../wire/generated/policy.ts";
import type { Label } from "./label.ts";
import type { Sources } from "./sources.ts";
import type { IndexedTables } from "./tables.ts";

/** What decisions depend on beside the tables and the call. Plain data; a new one for every step. */
export interface Conversation {
  /** Index into the tables' rows. */
  readonly row: number;
  /** Floats up with all that the conversation has seen. */
  readonly label: Label;
  /** Nobody is there to answer a question. */
  readonly unattended: boolean;
  /** What has been used of each quota of the row, in the quotas' own order and units. */
  readonly spent: readonly bigint[];
  /** Whose words it has heard so far; nothing where no line of the page asks. */
  readonly sources?: Sources | undefined;
}

/** A conversation at its beginning in the session's own row; nothing where the tables have no such session. */
export function openConversation(tables: IndexedTables, session: string): Conversation | undefined {
  const index = tables.rows.findIndex((row) => row.session === session && !row.task && !row.phase && !row.worker);
  const row = tables.rows[index];
  return row && beginIn(row, index);
}

/** A conversation at its beginning in the row of this index. */
export function beginIn(row: Row, index: number): Conversation {
  return { row: index, label: row.starts, unattended: false, spent: row.quotas.map(() => 0n) };
}

/** Quotas of one turn start anew with each turn. */
export function startTurn(tables: IndexedTables, conversation: Conversation): Conversation {
  const quotas = tables.rows[conversation.row]?.quotas ?? [];
  const spent = quotas.map((quota, index) => (quota.scope === "turn" ? 0n : (conversation.spent[index] ?? 0n)));
  return { ...conversation, spent };
}

/**
 * The same conversation in another row of its session. What it has seen stays seen. A counter hangs on its line of the page:
 * what both rows count goes on, and what only the new one counts begins with nothing.
 */
export function moveTo(tables: IndexedTables, conversation: Conversation, index: number): Conversation {
  const before = tables.rows[conversation.row]?.quotas ?? [];
  const used = new Map(before.map(({ rule }, at) => [rule, conversation.spent[at] ?? 0n]));
  const spent = (tables.rows[index]?.quotas ?? []).map(({ rule }) => used.get(rule) ?? 0n);
  return { ...conversation, row: index, spent };
}
