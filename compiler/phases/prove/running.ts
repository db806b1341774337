import type { Asking } from "./demand/asking.ts";
import type { Door } from "./doors.ts";
import { ANY_GATE, type Gates, gateBit, NO_GATE } from "./modes.ts";
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

  labelsIn(row: number): ReadonlySet<number> {
    return this.#labels[row] ?? new Set();
  }

  /** Gates that some call of the tool gets to; any where the search was given up and the lines let it run. */
  gatesOf(row: number, tool: number): Gates {
    if (this.isWhole) return this.gatesFound(row, tool);
    return this.#doorOf(row, this.#kindOf(tool)) === undefined ? NO_GATE : ANY_GATE;
  }

  /** Gates that some call of the tool was found to get to. */
  gatesFound(row: number, tool: number): Gates {
    const kind = this.#kindOf(tool);
    const asked = this.#gates[row] ?? [];
    asked[kind] ??= this.#gatesOfKind(row, kind);
    return asked[kind];
  }

  #gatesOfKind(row: number, kind: number): Gates {
    const ground = this.#terrain.grounds[row];
    const door = this.#doorOf(row, kind);
    if (ground === undefined || door === undefined) return NO_GATE;
    const { passings } = this.#explored;
    const reached = [...this.labelsIn(row)].map((label) => passings.through(ground, door, label)?.gates ?? NO_GATE);
    return reached.reduce((all, some) => all | some, NO_GATE);
  }

  #kindOf(tool: number): number {
    return this.#terrain.kinds.kindOf[tool] ?? -1;
  }

  #doorOf(row: number, kind: number): Door | undefined {
    const ground = this.#terrain.grounds[row];
    return ground?.doors[ground.doorOf[kind] ?? -1];
  }

  /** As prompt demand asks it. */
  get asking(): Asking {
    const gated = ANY_GATE & ~gateBit("auto");
    return {
      isReached: (row) => !this.isWhole || this.labelsIn(row).size > 0,
      isGated: (row, tool) => (this.gatesOf(row, tool) & gated) !== NO_GATE,
    };
  }
}
