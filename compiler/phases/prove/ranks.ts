import type { Derivation, StateId } from "./frontier.ts";

// Data that a worker has seen joins the data of any conversation of its parent's row. Combining all with all would take the square of the
// reached states. But every state of a row is a join of states that single steps from its start reach, because a step that is possible
// from a state is also possible from a lower one. So only those states need to be combined.

/**
 * 0: the start of a row. 1: one step from the start that changes the label. 2: more such steps, whose label is a join
 * of those of single steps.
 */
type Rank = 0 | 1 | 2;

/** Number of steps that changed the label since the start of its row, for each state. */
export class Ranks {
  readonly #ranks: Rank[] = [];
  readonly #ranges: number[] = [];

  getRank(state: StateId): Rank {
    return this.#ranks[state] ?? 2;
  }

  /** Returns the bit of the range from which a state of rank 1 got its result, or 0 if there is none. */
  getRange(state: StateId): number {
    return this.#ranges[state] ?? 0;
  }

  /** Notes a state with the label of its row's start, which has seen only what that label implies. */
  noteStart(state: StateId): void {
    this.#ranks[state] = 0;
    this.#ranges[state] = 0;
  }

  /** Notes another state, once its derivation is final. */
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
