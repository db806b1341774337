import { textOf } from "../policy/index.ts";
import type { Watch } from "./asked.ts";
import type { Matcher } from "./matcher.ts";
import { type Belief, Passings } from "./passing.ts";
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

/** All searches of a page, each made when it is first asked for. */
export class Searches {
  readonly terrain: Terrain;
  /** What each looks for; never none. */
  readonly #sights: readonly (readonly Sighted[])[];
  readonly #known = new Map<string, Explored>();
  readonly #effort: Effort = { left: MOST_TRIED };
  readonly #passings: Readonly<Record<Belief, Passings>>;

  constructor(terrain: Terrain, watches: readonly Watch[]) {
    this.terrain = terrain;
    this.#sights = together(watches);
    this.#passings = { certain: new Passings(terrain, "certain"), possible: new Passings(terrain, "possible") };
  }

  /** Conversations reached by all searches together. */
  get states(): number {
    return [...this.#known.values()].reduce((sum, { conversations }) => sum + conversations.length, 0);
  }

  of(watch: Watch, belief: Belief = "possible"): Explored {
    const search = this.#searchFor(watch);
    const key = `${belief} ${search}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const sights = this.#sights[search] ?? [];
    const cleared = sights.reduce((bits, { withoutReleases }, at) => (withoutReleases ? bits | (1 << at) : bits), 0);
    const lookout = { matchers: sights.map(({ matcher }) => matcher), cleared };
    const made = explore(this.terrain, lookout, this.#passings[belief], this.#effort);
    this.#known.set(key, made);
    return made;
  }

  /** The bits that its search has for matchers of a watch: for all of them. */
  bitsOf(watch: Watch): number {
    const sights = this.#sights[this.#searchFor(watch)] ?? [];
    const wanted = new Set(sightsOf(watch).map(({ text }) => text));
    return sights.reduce((bits, { text }, at) => (wanted.has(text) ? bits | (1 << at) : bits), 0);
  }

  #searchFor(watch: Watch): number {
    const wanted = sightsOf(watch).map(({ text }) => text);
    return this.#sights.findIndex((sights) => wanted.every((text) => sights.some((sight) => sight.text === text)));
  }
}

function sightsOf({ matchers, withoutReleases }: Watch): Sighted[] {
  return matchers.map((matcher) => ({ text: textOf([matcher, withoutReleases]), matcher, withoutReleases }));
}

/** Each watch whole in one of the lists. */
function together(watches: readonly Watch[]): Sighted[][] {
  const lists: Sighted[][] = [[]];
  for (const watch of watches) {
    const sights = sightsOf(watch);
    const last = lists[lists.length - 1] ?? [];
    const added = sights.filter(({ text }) => !last.some((sight) => sight.text === text));
    if (last.length + added.length <= MOST_MATCHERS) last.push(...added);
    else lists.push(sights);
  }
  return lists;
}
