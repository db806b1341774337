// What a page bounds and a bridge cannot count: tokens and money are spent by each answer of a model, and over days; in an image
// the broker's ledger keeps them. Where a line of the page asks for that, nothing is planned.

import type { Conversation, IndexedTables } from "../policy/index.ts";

/** The line's own words; nothing where there is none. `backend`: index into the tables' backends. */
export function uncounted(tables: IndexedTables, { row }: Conversation, backend: number): string | undefined {
  const quotas = [...(tables.rows[row]?.quotas ?? []), ...(tables.backends[backend]?.quotas ?? [])];
  const found = quotas.find(({ unit }) => unit === "tokens" || unit === "money");
  return found && (tables.rules[found.rule]?.words ?? "a quota");
}
