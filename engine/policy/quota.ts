import type { Quota, Row, Tool } from "../wire/generated/policy.ts";
import type { Conversation } from "./conversation.ts";
import type { IndexedTables } from "./tables.ts";

/** What one call would use. */
export interface Charge {
  readonly tool: Tool;
  /** UTF-8 bytes of the canonical arguments. */
  readonly bytes: number;
  /** Times that a person is asked. */
  readonly prompts: number;
}

export interface Ledger {
  /** The quotas' counters with the call charged to every scope that encloses it. */
  readonly spent: readonly bigint[];
  /** The first quota that the call would exceed. */
  readonly exhausted: Quota | undefined;
}

export function chargeCall(tables: IndexedTables, row: Row, conversation: Conversation, charge: Charge): Ledger {
  const spent = row.quotas.map((quota, index) => {
    const before = quota.scope === "call" ? 0n : (conversation.spent[index] ?? quota.amount);
    return before + costOf(tables, quota, charge);
  });
  return { spent, exhausted: exceeded(row, spent) };
}

/** What it costs to ask a person something that is no call. */
export function chargePrompt(row: Row, conversation: Conversation): Ledger {
  const spent = row.quotas.map((quota, index) => {
    const before = quota.scope === "call" ? 0n : (conversation.spent[index] ?? quota.amount);
    return before + (quota.unit === "prompts" ? 1n : 0n);
  });
  return { spent, exhausted: exceeded(row, spent) };
}

function exceeded(row: Row, spent: readonly bigint[]): Quota | undefined {
  return row.quotas.find((quota, index) => (spent[index] ?? 0n) > quota.amount);
}

/**
 * Units of a quota that a call uses: said here alone, for `decide` and for the broker's ledger. Tokens and money are spent by
 * inference and charged where that happens, never by a call.
 */
export function costOf(tables: IndexedTables, quota: Quota, charge: Charge): bigint {
  switch (quota.unit) {
    case "calls":
      return 1n;
    case "prompts":
      return BigInt(charge.prompts);
    case "bytes":
      return BigInt(charge.bytes);
    case "category":
      return tables.lineage[charge.tool.category]?.has(quota.name) ? 1n : 0n;
    case "tokens":
    case "money":
      return 0n;
  }
}
