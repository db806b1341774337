// Tokens of answers. How many one uses is not known before it has ended: as many as are left are reserved, up to what one answer
// can use, and what the worker did not count is given back. An answer whose end nobody told stays spent.

import type { IndexedTables } from "../../policy/index.ts";
import type { World } from "../world.ts";
import { Leases } from "./leases.ts";
import { type Counted, exhaustedWords } from "./ledger.ts";

/** More than the context of any model that is served here; where the page sets no quota, this is what one answer may use. */
export const MOST_ANSWER_TOKENS = 262_144;

export type AnswerReserved =
  | { readonly lease: Uint8Array; readonly mostTokens: number }
  | { readonly exhausted: string };

interface Reservation {
  readonly counted: readonly Counted[];
  readonly tokens: bigint;
}

export class Answers {
  readonly #tables: IndexedTables;
  readonly #leases: Leases<Reservation>;
  readonly #keep: (counted: readonly Counted[]) => string | undefined;

  /** `keep` puts on the disk what outlasts the run; why that failed, or nothing. */
  constructor(tables: IndexedTables, world: World, keep: (counted: readonly Counted[]) => string | undefined) {
    this.#tables = tables;
    this.#keep = keep;
    this.#leases = new Leases(world.random);
  }

  /** `counted`: quotas of tokens, and of answers where a backend counts those as its calls. */
  reserve(counted: readonly Counted[]): AnswerReserved {
    const spent = counted.find(({ quota, tally }) => tally.spent >= quota.amount);
    if (spent !== undefined) return { exhausted: exhaustedWords(this.#tables, spent, 1n) };
    const inTokens = counted.filter(({ quota }) => quota.unit === "tokens");
    const [tokens = 0n] = [BigInt(MOST_ANSWER_TOKENS), ...inTokens.map(left)].sort((a, b) => (a < b ? -1 : 1));
    for (const { quota, tally } of counted) tally.add(quota.unit === "tokens" ? tokens : 1n);
    const fault = this.#keep(counted);
    if (fault === undefined)
      return { lease: this.#leases.issue({ counted: inTokens, tokens }), mostTokens: Number(tokens) };
    for (const { quota, tally } of counted) tally.giveBack(quota.unit === "tokens" ? tokens : 1n);
    return { exhausted: fault };
  }

  /** False where there is no such lease, or none any more. A worker that used more than it was allowed is charged for it. */
  settle(lease: Uint8Array, used: bigint): boolean {
    const reservation = this.#leases.take(lease);
    if (reservation === undefined) return false;
    for (const { tally } of reservation.counted) tally.giveBack(reservation.tokens - used);
    // What could not be written down as given back stays spent, once the machine starts again.
    this.#keep(reservation.counted);
    return true;
  }
}

function left({ quota, tally }: Counted): bigint {
  return quota.amount - tally.spent;
}
