/** Counter of the units of one quota. */
export interface Tally {
  readonly spent: bigint;
  readonly add: (units: bigint) => void;
  readonly giveBack: (units: bigint) => void;
  /** Time at which units become available again, as text. */
  readonly resets: string;
}

/** A counter that exists as long as its scope, such as a turn. */
export class Counter implements Tally {
  #spent = 0n;
  readonly resets: string;

  constructor(resets: string) {
    this.resets = resets;
  }

  get spent(): bigint {
    return this.#spent;
  }

  add(units: bigint): void {
    this.#spent += units;
  }

  giveBack(units: bigint): void {
    this.#spent -= units;
  }
}
