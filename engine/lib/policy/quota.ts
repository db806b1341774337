import type { Quota, Row, Tool } from "../wire/generated/policy.ts";
import type { Conversation } from "./conversation.ts";
import type { IndexedTables } from "./tables.ts";

/** A call whose use of quotas is computed. */
export interface Charge {
  readonly tool: Pick<Tool, "category">;
  /** Canonical arguments, or their length in bytes of UTF-8, which a quota on bytes counts. */
  readonly arguments: string | number;
  /** Number of questions that the call asks a person. */
  readonly prompts: number;
}

interface Ledger {
  /** Counters of the row's quotas after the call was charged to each of them. */
  readonly spent: readonly bigint[];
  /** The first quota that the call would exceed. */
  readonly exhausted: Quota | undefined;
}

export function chargeCall(tables: IndexedTables, row: Row, conversation: Conversation, charge: Charge): Ledger {
  return chargeQuotas(row, conversation, (quota) => computeCost(tables, quota, charge));
}

/** Result of every charge to a row without quotas. */
export const UNCOUNTED: Ledger = { spent: Object.freeze([]), exhausted: undefined };

/** Charges the quotas of prompts for one question that a person is asked outside of a call. */
export function chargePrompt(row: Row, conversation: Conversation): Ledger {
  return chargeQuotas(row, conversation, ({ unit }) => (unit === "prompts" ? 1n : 0n));
}

/** Charges each quota. A quota without a counter counts as used up. */
function chargeQuotas({ quotas }: Row, conversation: Conversation, costOn: (quota: Quota) => bigint): Ledger {
  const spent: bigint[] = [];
  let exhausted: Quota | undefined;
  for (const quota of quotas) {
    const before = quota.scope === "call" ? 0n : (conversation.spent[spent.length] ?? quota.amount);
    const after = before + costOn(quota);
    if (after > quota.amount) exhausted ??= quota;
    spent.push(after);
  }
  return { spent, exhausted };
}

/**
 * Returns the units of a quota that a call uses; `decide` and the broker's ledger share this function. A call is never charged for
 * tokens and money; inference is charged for these, by the code that runs it.
 */
export function computeCost(tables: IndexedTables, quota: Quota, charge: Charge): bigint {
  switch (quota.unit) {
    case "calls":
      return 1n;
    case "prompts":
      return charge.prompts === 0 ? 0n : BigInt(charge.prompts);
    case "bytes":
      return BigInt(typeof charge.arguments === "number" ? charge.arguments : Buffer.byteLength(charge.arguments));
    case "category":
      return tables.lineage[charge.tool.category]?.has(quota.name) ? 1n : 0n;
    case "tokens":
    case "money":
      return 0n;
  }
}

/**
 * Returns an amount to which the page could raise the quota, so that it allows the refused call. Returns `undefined` if
 * the call does not use the quota. For quotas that count calls or prompts, the returned amount is the least such
 * amount. For a quota of bytes that several calls share, the returned amount may exceed the least such amount. The
 * difference is at most the number of bytes that the previous calls left unused.
 */
export function computeSufficientAmount(tables: IndexedTables, quota: Quota, charge: Charge): bigint | undefined {
  const cost = computeCost(tables, quota, charge);
  if (cost === 0n) return undefined;
  return quota.scope === "call" ? cost : quota.amount + cost;
}
