import type { World } from "../world.ts";

/** Number of refused proofs after which no more proofs are accepted; each refusal stops counting after a while. */
export const MAX_REFUSED = 5;
export const REFUSED_FOR_MS = 300_000;

/**
 * Counts refused proofs. Passphrases can be guessed, so the limit on refused proofs protects them. Signatures cannot be guessed: for them
 * the limit only keeps the log from being filled.
 */
export class Attempts {
  readonly #world: World;
  /** Times of the refusals, oldest first. */
  #refused: readonly number[];

  /**
   * Starts with `before` refusals of an earlier run. They count as if they had just happened, so that a restart does
   * not shorten the wait.
   */
  constructor(world: World, before = 0) {
    this.#world = world;
    this.#refused = Array.from({ length: Math.min(before, MAX_REFUSED) }, () => world.now());
  }

  /** Number of refusals that still count. */
  get count(): number {
    return this.#refused.filter((at) => this.#world.now() < at + REFUSED_FOR_MS).length;
  }

  /** Returns why no further proof is accepted now, or `undefined` if a proof is accepted. */
  get refusal(): string | undefined {
    const [oldest = 0] = this.#refused;
    const waits = this.#refused.length < MAX_REFUSED ? 0 : oldest + REFUSED_FOR_MS - this.#world.now();
    if (waits <= 0) return undefined;
    return `${MAX_REFUSED} proofs were refused; the next is heard in ${Math.ceil(waits / 1000)} s`;
  }

  recordRefusal(): void {
    this.#refused = [...this.#refused, this.#world.now()].slice(-MAX_REFUSED);
  }

  clear(): void {
    this.#refused = [];
  }
}
