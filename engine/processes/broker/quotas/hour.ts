// A quota per hour is a sliding log: no sixty minutes, wherever they begin, use more than the page allows. Hours that
// begin at fixed times would allow twice the amount around the end of such an hour.
//
// The log keeps one sum per second and so at most 3601 of them, whatever the page allows. A sum counts until its last
// millisecond is an hour old, so units return up to one second late, and never early.

import type { Tally } from "./tally.ts";

export const HOUR_MS = 3_600_000;
const SECOND_MS = 1000;
const HOUR_SECONDS = 3600;

export class HourLog {
  /** Units by the second since boot in which they were counted, oldest first. */
  readonly #sums = new Map<number, bigint>();

  /** Returns a tally of the hour before `now`; units that are charged to it are counted at the time `now`. */
  getTallyAt(now: number): Tally {
    const second = Math.floor(now / SECOND_MS);
    this.#forgetBefore(second - HOUR_SECONDS);
    const change = (units: bigint) => this.#change(second, units);
    return {
      spent: this.#sumUnits(),
      add: change,
      giveBack: (units) => change(-units),
      resets: this.#describeNextFree(now),
    };
  }

  #forgetBefore(oldest: number): void {
    for (const second of this.#sums.keys()) {
      if (second >= oldest) return;
      this.#sums.delete(second);
    }
  }

  #sumUnits(): bigint {
    let total = 0n;
    for (const units of this.#sums.values()) total += units;
    return total;
  }

  /**
   * Adds units to the sum of a second; a refund adds negative units. After the hour, refunds change nothing, because the sum no longer
   * exists.
   */
  #change(second: number, units: bigint): void {
    const known = this.#sums.get(second);
    if (known === undefined && units < 0n) return;
    const sum = (known ?? 0n) + units;
    if (sum === 0n) this.#sums.delete(second);
    else this.#sums.set(second, sum);
  }

  #describeNextFree(now: number): string {
    const [oldest] = this.#sums.keys();
    if (oldest === undefined) return "each counts for an hour";
    const waitMs = (oldest + 1) * SECOND_MS + HOUR_MS - now;
    return `the next is free in ${Math.max(1, Math.ceil(waitMs / 60_000))} min`;
  }
}
