// Random numbers that are the same on every machine: data made from a seed has the same bytes everywhere.

export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Returns a number from 0 to below 1, computed by the generator Mulberry32. */
  drawNumber(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns a whole number from `low` to `high`, both included. */
  drawBetween(low: number, high: number): number {
    return low + Math.floor(this.drawNumber() * (high - low + 1));
  }

  flipCoin(share: number): boolean {
    return this.drawNumber() < share;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[Math.floor(this.drawNumber() * items.length)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  }

  /** Returns the items in random order; only the first `count` if that is given. */
  shuffle<T>(items: readonly T[], count = items.length): T[] {
    const left = [...items];
    return Array.from({ length: Math.min(count, left.length) }, () => {
      const [taken] = left.splice(Math.floor(this.drawNumber() * left.length), 1);
      if (taken === undefined) throw new Error("the list is shorter than it was");
      return taken;
    });
  }
}
