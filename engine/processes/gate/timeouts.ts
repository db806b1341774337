import type { Conversation, IndexedTables } from "../../lib/policy/index.ts";
import type { Row } from "../../lib/wire/generated/policy.ts";

const NONE: Row["timeouts"] = { callMs: 0, turnMs: 0, loginMs: 0, idleMs: 0 };

/** Returns the page's timeouts in the row of a conversation; 0 means that the page sets none. */
export function getTimeouts(tables: IndexedTables, { row }: Conversation): Row["timeouts"] {
  return tables.rows[row]?.timeouts ?? NONE;
}
