// Reserves and settles the tokens of answers. The number of tokens of an answer is not known before its end. Therefore
// the remaining tokens are reserved, up to the most that one answer can use, and unused ones are refunded. Money is
// reserved and refunded in the same way, at the backend's price. An answer whose end is never reported stays charged.

import type { IndexedTables } from "../../../lib/policy/index.ts";
import type { Quota } from "../../../lib/wire/generated/policy.ts";
import type { World } from "../world.ts";
import { Leases } from "./leases.ts";
import { computeAffordableTokens, computeAnswerCost, FREE, type Price } from "./price.ts";
import { type CountedQuota, describeExhausted } from "./quota-ledger.ts";

/** Maximum tokens of one answer if neither page nor model states a number: more than the context of most models. */
export const MOST_ANSWER_TOKENS = 262_144;

type AnswerReserved = { readonly lease: Uint8Array; readonly mostTokens: number } | { readonly exhausted: string };

interface Reservation {
  readonly counted: readonly CountedQuota[];
  readonly tokens: bigint;
  readonly price: Price;
}

export class Answers {
  readonly #tables: IndexedTables;
  readonly #leases: Leases<Reservation>;
  readonly #keep: (counted: readonly CountedQuota[]) => string | undefined;

  /** `keep` writes permanent counts to the disk; it returns why the write failed, or `undefined`. */
  constructor(tables: IndexedTables, world: World, keep: (counted: readonly CountedQuota[]) => string | undefined) {
    this.#tables = tables;
    this.#keep = keep;
    this.#leases = new Leases(world.random);
  }

  /**
   * Reserves an answer. `counted`: the quotas of tokens, the quotas of money in the currency of `price`, and a backend's quotas of calls,
   * which count its answers. `context`: the maximum tokens of an answer, which are charged if its end is never reported; 0 if unknown.
   */
  reserve(counted: readonly CountedQuota[], price: Price = FREE, context = 0): AnswerReserved {
    const spent = counted.find((one) => isSpent(one, price));
    if (spent !== undefined) return { exhausted: describeExhausted(this.#tables, spent, 1n) };
    const limits = counted.flatMap((one) => countTokensLeft(one, price) ?? []);
    const [tokens = 0n] = [BigInt(context || MOST_ANSWER_TOKENS), ...limits].sort((a, b) => (a < b ? -1 : 1));
    for (const { quota, tally } of counted) tally.add(computeUnits(quota, price, tokens, 0n));
    const fault = this.#keep(counted);
    const used = counted.filter(({ quota }) => quota.unit === "tokens" || quota.unit === "money");
    if (fault === undefined)
      return { lease: this.#leases.issue({ counted: used, tokens, price }), mostTokens: Number(tokens) };
    for (const { quota, tally } of counted) tally.giveBack(computeUnits(quota, price, tokens, 0n));
    return { exhausted: fault };
  }

  /**
   * Settles a lease; returns false if the lease does not exist or was settled before. All tokens that a worker used are
   * charged, even if they are more than allowed.
   */
  settle(lease: Uint8Array, used: bigint, output = 0n): boolean {
    const reservation = this.#leases.take(lease);
    if (reservation === undefined) return false;
    const { counted, tokens, price } = reservation;
    for (const { quota, tally } of counted) {
      tally.giveBack(computeUnits(quota, price, tokens, 0n) - computeUnits(quota, price, used, output));
    }
    // If the refund cannot be written, the units remain spent after a restart of the machine.
    this.#keep(reservation.counted);
    return true;
  }
}

/** Returns the units of a quota that an answer of this many tokens uses. */
function computeUnits({ unit }: Quota, price: Price, tokens: bigint, output: bigint): bigint {
  if (unit === "money") return computeAnswerCost(price, tokens, output);
  return unit === "tokens" ? tokens : 1n;
}

/** Returns the tokens for which a quota has room, or `undefined` if it does not bound them. */
function countTokensLeft(one: CountedQuota, price: Price): bigint | undefined {
  if (one.quota.unit === "money") return computeAffordableTokens(price, computeRemaining(one));
  return one.quota.unit === "tokens" ? computeRemaining(one) : undefined;
}

/** Returns whether a quota is used up. A quota of money is used up as soon as its remaining money buys no token. */
function isSpent(one: CountedQuota, price: Price): boolean {
  return computeRemaining(one) <= 0n || countTokensLeft(one, price) === 0n;
}

function computeRemaining({ quota, tally }: CountedQuota): bigint {
  return quota.amount - tally.spent;
}
