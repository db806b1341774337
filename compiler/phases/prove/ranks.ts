import type { Derivation, StateId } from "./frontier.ts";

// Data that a worker has read may join any conversation in its parent's row. Joining all workers with all conversations would take time
// quadratic in the reached states. A step that is possible from a state is also possible from a state with a lower label. Every state of a
// row is therefore a join of states that are one step from the row's start. It is enough to join these one-step states.

/** 0: the start of a row. 1: one step with a new label from the start. 2: more steps, which equal a join of single steps. */
type Rank = 0 | 1 | 2;

/** For each state, the number of labelling steps from the start of its row, at most 2. */
export class Ranks {
  readonly #ranks: Rank[] = [];
  readonly #ranges: number[] = [];

  getRank(state: StateId): Rank {
    return this.#ranks[state] ?? 2;
  }

  /** Returns the bit of the range from which the result of a state of rank 1 came, or 0 if there is none. */
  getRange(state: StateId): number {
    return this.#ranges[state] ?? 0;
  }

  /** Records a state that has the label of its row's start, and has read no further data. */
  noteStart(state: StateId): void {
    this.#ranks[state] = 0;
    this.#ranges[state] = 0;
  }

  /** Records any other state, after its derivation is final. */
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
