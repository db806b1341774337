import type { Derivation, ItemId } from "./frontier.ts";

// What a worker has seen joins what any conversation of its parent's row has seen. To try all with all would take the square of
// what is reached. But a row reaches nothing that is not the join of what single steps from its start reach: whatever lets a
// step through lets it through from less as well. So that only those need to be tried.

/** 0: where a row starts. 1: one step that labels away from it. 2: more, which is the join of such steps. */
type Rank = 0 | 1 | 2;

/** For each item how many steps that label it is away from where its row starts. */
export class Ranks {
  readonly #ranks: Rank[] = [];
  readonly #ranges: number[] = [];

  getRank(item: ItemId): Rank {
    return this.#ranks[item] ?? 2;
  }

  /** Of rank 1: the bit of the range whose results it is one of; 0 where there is none. */
  getRange(item: ItemId): number {
    return this.#ranges[item] ?? 0;
  }

  /** Once its derivation is final. `starts`: it is labelled as its row starts, and has seen no more than that says. */
  note(item: ItemId, how: Derivation, starts: boolean): void {
    const [rank, range] = starts ? ([0, 0] as const) : this.#deriveRank(how);
    this.#ranks[item] = rank;
    this.#ranges[item] = range;
  }

  #deriveRank(how: Derivation): readonly [Rank, number] {
    switch (how.kind) {
      case "call":
        return [this.#ranks[how.from] === 0 ? 1 : 2, how.entry === undefined ? how.range : 0];
      case "ingress":
        return [this.#ranks[how.from] === 0 ? 1 : 2, 0];
      case "phase":
      case "started":
        return [this.getRank(how.from), this.getRange(how.from)];
      case "ended":
        return [this.getRank(how.worker), this.getRange(how.worker)];
      case "begin":
      case "joined":
      case "wrote":
      case "granted":
        return [2, 0];
    }
  }
}
