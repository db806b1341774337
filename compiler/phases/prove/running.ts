import type { Asking } from "./demand/asking.ts";
import type { Door } from "./doors.ts";
import { ANY_GATE, encodeGate, type Gates, NO_GATE } from "./modes.ts";
import type { Explored } from "./search.ts";
import type { Terrain } from "./terrain.ts";

/** What conversations come to in each row, put together. */
export class Running {
  readonly #terrain: Terrain;
  readonly #explored: Explored;
  /** By row: labels of conversations, each once. */
  readonly #labels: readonly ReadonlySet<number>[];
  /** By row, then by kind of tool: what was asked about already. */
  readonly #gates: Gates[][];

  constructor(terrain: Terrain, explored: Explored) {
    const labels = terrain.grounds.map(() => new Set<number>());
    const { place, label } = explored.frontier;
    for (const item of explored.conversations) labels[place[item] ?? 0]?.add(label[item] ?? 0);
    this.#terrain = terrain;
    this.#explored = explored;
    this.#labels = labels;
    this.#gates = terrain.grounds.map(() => []);
  }

  /** The search came to its end, so that what it did not find is not there. */
  get isWhole(): boolean {
    return this.#explored.givenUp === undefined;
  }

  getLabels(row: number): ReadonlySet<number> {
    return this.#labels[row] ?? new Set();
  }

  /** Gates that some call of the tool gets to; any where the search was given up and the lines let it run. */
  getPossibleGates(row: number, tool: number): Gates {
    if (this.isWhole) return this.getReachedGates(row, tool);
    return this.#getTransition(row, this.#getKind(tool)) === undefined ? NO_GATE : ANY_GATE;
  }

  /** Gates that some call of the tool was found to get to. */
  getReachedGates(row: number, tool: number): Gates {
    const kind = this.#getKind(tool);
    const asked = this.#gates[row] ?? [];
    asked[kind] ??= this.#computeGatesOfKind(row, kind);
    return asked[kind];
  }

  #computeGatesOfKind(row: number, kind: number): Gates {
    const ground = this.#terrain.grounds[row];
    const door = this.#getTransition(row, kind);
    if (ground === undefined || door === undefined) return NO_GATE;
    const { passings } = this.#explored;
    const reached = [...this.getLabels(row)].map(
      (label) => passings.evaluateTransition(ground, door, label)?.gates ?? NO_GATE,
    );
    return reached.reduce((all, some) => all | some, NO_GATE);
  }

  #getKind(tool: number): number {
    return this.#terrain.kinds.kindOf[tool] ?? -1;
  }

  #getTransition(row: number, kind: number): Door | undefined {
    const ground = this.#terrain.grounds[row];
    return ground?.doors[ground.doorOf[kind] ?? -1];
  }

  /** As prompt demand asks it. */
  get asking(): Asking {
    const gated = ANY_GATE & ~encodeGate("auto");
    return {
      isReached: (row) => !this.isWhole || this.getLabels(row).size > 0,
      isGated: (row, tool) => (this.getPossibleGates(row, tool) & gated) !== NO_GATE,
    };
  }
}
