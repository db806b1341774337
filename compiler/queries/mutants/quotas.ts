import type { Quota, Row } from "../../../engine/lib/wire/generated/policy.ts";
import { getLine, type Mutant, type Original } from "./mutant.ts";

/**
 * Maximum number of steps of a test. A quota that needs more steps to be used up is left out, because nobody writes
 * such a test.
 */
const MOST_STEPS = 32n;

/**
 * Returns mutants in which the amount of a quota is one larger or one smaller. A mutant changes the line in all rows of
 * its session, because the rows share one counter.
 */
export function createQuotaMutants(original: Original): readonly Mutant[] {
  const { rows } = original.tables;
  const held = rows.flatMap(({ session, quotas }) => quotas.filter(isCounted).map((quota) => ({ session, quota })));
  const lines = new Map(held.map((each) => [`${each.session} ${each.quota.rule}`, each]));
  return [...lines.values()].flatMap(({ session, quota }) =>
    [quota.amount - 1n, quota.amount + 1n].map((amount) => createAmountMutant(original, session, quota, amount)),
  );
}

/** Returns whether tests can use up the quota. Tests count calls, but not tokens, bytes or money. */
function isCounted({ unit, amount }: Quota): boolean {
  return (unit === "calls" || unit === "prompts" || unit === "category") && amount > 0n && amount <= MOST_STEPS;
}

function createAmountMutant(original: Original, session: string, quota: Quota, amount: bigint): Mutant {
  const { tables } = original;
  const isOf = (row: Row) => row.session === session && row.quotas.some(({ rule }) => rule === quota.rule);
  const replaceAmount = (held: Quota) => (held.rule === quota.rule ? { ...held, amount } : held);
  return {
    kind: "quota",
    change: `${amount} instead of ${quota.amount}`,
    line: getLine(original, quota.rule),
    rows: [...tables.rows.keys()].filter((index) => tables.rows.slice(index, index + 1).some(isOf)),
    // A quota of 0 changes the decision about the first call of any tool. Another quota changes decisions only after some
    // calls.
    tools: amount === 0n ? [...tables.tools.keys()] : [],
    reach: "conversations",
    tables: {
      ...tables,
      rows: tables.rows.map((row) => (isOf(row) ? { ...row, quotas: row.quotas.map(replaceAmount) } : row)),
    },
  };
}
