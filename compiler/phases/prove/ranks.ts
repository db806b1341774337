import type { Derivation, StateId } from "./frontier.ts";

// The data that a worker has read joins the data of any conversation in its parent's row. Joining every state of the
// worker with every state of the parent would take time that grows with the square of the number of states. But every
// state of a row is a join of states that are reached by single steps from its start. The reason is that a step that is
// possible from a state is also possible from a state with a lower label. So only the states after a single step need
// to be joined.

/**
 * Number of steps in the row that may have changed the label of the conversation: 0, 1, or 2 for two or more. A label
 * of rank 2 is the join of labels of rank 1.
 */
type Rank = 0 | 1 | 2;

/** Stores the rank of each state. */
export class Ranks {
  readonly #ranks: Rank[] = [];
  readonly #ranges: number[] = [];

  getRank(state: StateId): Rank {
    return this.#ranks[state] ?? 2;
  }

  /**
   * For a state of rank 1 that was reached by the result of a call, returns the bit of the result's label range;
   * otherwise 0.
   */
  getRange(state: StateId): number {
    return this.#ranges[state] ?? 0;
  }

  /**
   * Records that a state has rank 0. Its label must be the one with which conversations of its row start, and its
   * matcher bits those of this label.
   */
  noteStart(state: StateId): void {
    this.#ranks[state] = 0;
    this.#ranges[state] = 0;
  }

  /** Computes and stores the rank of any other state. `derivation` is the last step to the state, and must be final. */
  note(state: StateId, derivation: Derivation): void {
    const [rank, range] = this.#deriveRank(derivation);
    this.#ranks[state] = rank;
    this.#ranges[state] = range;
  }

  #deriveRank(derivation: Derivation): readonly [Rank, number] {
    switch (derivation.kind) {
      case "call":
        return [this.#ranks[derivation.from] === 0 ? 1 : 2, derivation.entry === undefined ? derivation.range : 0];
      case "ingress":
        return [this.#ranks[derivation.from] === 0 ? 1 : 2, 0];
      case "phase":
      case "started":
        return [this.getRank(derivation.from), this.getRange(derivation.from)];
      case "ended":
        return [this.getRank(derivation.worker), this.getRange(derivation.worker)];
      case "begin":
      case "joined":
      case "wrote":
      case "granted":
        return [2, 0];
    }
  }
}
