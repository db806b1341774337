// Requirements of a page that a bridge cannot meet, because it keeps no record and no count. Each answer of a model spends tokens and
// money, and a kernel tells nobody which plans it ran, or whom it asked. In an image the broker's ledger keeps them. If a line of the
// page asks for that, the bridge plans nothing; limits of one call or one turn are checked against each plan.

import type { Conversation, IndexedTables } from "../../lib/policy/index.ts";
import type { Quota } from "../../lib/wire/generated/policy.ts";

/** Why nothing is planned by this backend: an index into those of the tables. Returns `undefined` if it may answer. */
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

/** The line's own words; nothing where there is none. `backend`: index into the tables' backends. */
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
