// Finds requirements of a page that a bridge cannot meet, because a bridge stores no records and no counts. Each response of a model uses
// tokens and money, and a kernel reports neither the plans that it ran nor its questions. In an image, the broker's ledger stores such
// counts. If a rule of the page needs such records or counts, the bridge plans nothing; limits of one call or one turn are checked against
// each plan.

import type { Conversation, IndexedTables } from "../../lib/policy/index.ts";
import type { Quota } from "../../lib/wire/generated/policy.ts";

/**
 * Returns why a backend must not answer the requests for plans; `backend` is an index into the tables' backends.
 * Returns `undefined` if the backend may answer.
 */
export function explainRefusedBackend(
  tables: IndexedTables,
  conversation: Conversation,
  backend: number,
): string | undefined {
  const line = findUncountedQuota(tables, conversation, backend);
  if (line !== undefined) return `${line}: a bridge keeps no count of what is spent, or of what a kernel runs`;
  const { name, logRequired } = tables.backends[backend] ?? { name: "it", logRequired: true };
  return logRequired ? `what ${name} hears has to be on record first: a bridge keeps no record` : undefined;
}

/**
 * Returns the page's line of the first quota that a bridge cannot count, or `undefined` if the bridge can count all
 * quotas. `backend` is an index into the tables' backends.
 */
export function findUncountedQuota(tables: IndexedTables, { row }: Conversation, backend: number): string | undefined {
  const quotas = [...(tables.rows[row]?.quotas ?? []), ...(tables.backends[backend]?.quotas ?? [])];
  const found = quotas.find((quota) => !isHeldByOnePlan(quota));
  return found && (tables.rules[found.rule]?.words ?? "a quota");
}

function isHeldByOnePlan({ unit, scope }: Quota): boolean {
  switch (unit) {
    case "tokens":
    case "money":
    case "prompts":
      return false;
    case "calls":
    case "category":
    case "bytes":
      return scope === "call" || scope === "turn";
  }
}
