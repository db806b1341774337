import { type Belief, Passings } from "./passing.ts";
import { type Explored, explore, type Watch } from "./search.ts";
import type { Terrain } from "./terrain.ts";

/** Claims that ask the same about the past of a conversation share one search. */
export class Searches {
  readonly terrain: Terrain;
  readonly #known = new Map<string, Explored>();
  readonly #passings: Readonly<Record<Belief, Passings>>;

  constructor(terrain: Terrain) {
    this.terrain = terrain;
    this.#passings = { certain: new Passings(terrain, "certain"), possible: new Passings(terrain, "possible") };
  }

  /** Conversations reached by all searches together. */
  get states(): number {
    return [...this.#known.values()].reduce((sum, { conversations }) => sum + conversations.length, 0);
  }

  of(watch: Watch, belief: Belief = "possible"): Explored {
    const key = `${belief} ${watchText(watch)}`;
    const known = this.#known.get(key) ?? explore(this.terrain, watch, this.#passings[belief]);
    this.#known.set(key, known);
    return known;
  }
}

function watchText({ matchers, withoutReleases }: Watch): string {
  return JSON.stringify([withoutReleases, matchers], (_, part: unknown) =>
    typeof part === "bigint" ? `${part}n` : part,
  );
}
