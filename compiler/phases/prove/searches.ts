import { serializeValue } from "../policy/index.ts";
import { NOTHING, type Watch } from "./asked.ts";
import type { Matcher } from "./matcher.ts";
import { type Belief, Passings } from "./passing.ts";
import { Running } from "./running.ts";
import { type Effort, type Explored, explore, MOST_TRIED } from "./search.ts";
import type { Terrain } from "./terrain.ts";

/**
 * Of one search. What conversations reach is the same whatever is looked for in their past, so that all is looked for at once;
 * but for each set of matchers that only a store remembers there is a state more, and sets are many.
 */
const MOST_MATCHERS = 8;

interface Sighted {
  readonly text: string;
  readonly matcher: Matcher;
  readonly withoutReleases: boolean;
}

/** Conversations that are walked through for all claims together: half a second. */
const MOST_WALKED = 5_000_000;

/** All searches of a page, each made when it is first asked for. */
export class Searches {
  readonly terrain: Terrain;
  readonly walking: Effort = { left: MOST_WALKED };
  /** What each looks for; never none. */
  readonly #sights: readonly (readonly Sighted[])[];
  readonly #known = new Map<string, Explored>();
  readonly #looked = new WeakMap<Explored, readonly Sighted[]>();
  readonly #effort: Effort = { left: MOST_TRIED };
  /** For what is searched once more. */
  readonly #second: Effort = { left: MOST_TRIED / 4 };
  readonly #passings: Readonly<Record<Belief, Passings>>;
  #running: Running | undefined;

  constructor(terrain: Terrain, watches: readonly Watch[]) {
    this.terrain = terrain;
    this.#sights = groupWatches(watches);
    this.#passings = { certain: new Passings(terrain, "certain"), possible: new Passings(terrain, "possible") };
  }

  /** Conversations reached by all searches together. */
  get states(): number {
    return [...this.#known.values()].reduce((sum, { conversations }) => sum + conversations.length, 0);
  }

  /** What conversations come to, whatever is asked about their past. */
  get running(): Running {
    this.#running ??= new Running(this.terrain, this.exploreFor(NOTHING));
    return this.#running;
  }

  /** Where all at once is too much, one thing by itself may not be. */
  exploreFor(watch: Watch, belief: Belief = "possible"): Explored {
    const shared = this.#sights.find((sights) => hasWatch(sights, watch)) ?? [];
    const explored = this.#search(shared, belief, this.#effort);
    const alone = deriveSights(watch);
    if (explored.givenUp?.kind !== "steps" || alone.length === shared.length) return explored;
    return this.#search(alone, belief, this.#second);
  }

  /** The bits that a search has for matchers of a watch: for all of them. */
  selectBits(explored: Explored, watch: Watch): number {
    const wanted = new Set(deriveSights(watch).map(({ text }) => text));
    const sights = this.#looked.get(explored) ?? [];
    return sights.reduce((bits, { text }, at) => (wanted.has(text) ? bits | (1 << at) : bits), 0);
  }

  #search(sights: readonly Sighted[], belief: Belief, effort: Effort): Explored {
    const key = serializeValue([belief, sights.map(({ text }) => text)]);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const cleared = sights.reduce((bits, { withoutReleases }, at) => (withoutReleases ? bits | (1 << at) : bits), 0);
    const lookout = { matchers: sights.map(({ matcher }) => matcher), cleared };
    const made = explore(this.terrain, lookout, this.#passings[belief], effort);
    this.#known.set(key, made);
    this.#looked.set(made, sights);
    return made;
  }
}

function hasWatch(sights: readonly Sighted[], watch: Watch): boolean {
  return deriveSights(watch).every(({ text }) => sights.some((sight) => sight.text === text));
}

function deriveSights({ matchers, withoutReleases }: Watch): Sighted[] {
  return matchers.map((matcher) => ({ text: serializeValue([matcher, withoutReleases]), matcher, withoutReleases }));
}

/** Each watch whole in one of the lists. */
function groupWatches(watches: readonly Watch[]): Sighted[][] {
  const lists: Sighted[][] = [[]];
  for (const watch of watches) {
    const sights = deriveSights(watch);
    const last = lists[lists.length - 1] ?? [];
    const added = sights.filter(({ text }) => !last.some((sight) => sight.text === text));
    if (last.length + added.length <= MOST_MATCHERS) last.push(...added);
    else lists.push(sights);
  }
  return lists;
}
