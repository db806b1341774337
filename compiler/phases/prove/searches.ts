import { serializeValue } from "../policy/index.ts";
import { type Approximation, TransitionEvaluator } from "./evaluator.ts";
import type { Matcher } from "./matcher.ts";
import { type HistoryQuery, NO_HISTORY } from "./obligations.ts";
import { RowReachability } from "./row-reachability.ts";
import { type Budget, computeReachableSet, MOST_TRIED, type ReachableSet } from "./search.ts";
import type { StateSpace } from "./state-space.ts";

/**
 * Maximum number of matchers of one search. One search can track many matchers, because all concern the same
 * conversations. But stored data has one state for each set of matchers that it meets, and the number of sets grows
 * quickly.
 */
const MOST_MATCHERS = 8;

interface KeyedMatcher {
  readonly key: string;
  readonly matcher: Matcher;
  readonly withoutReleases: boolean;
}

/** Maximum number of states that are visited for all claims together, which takes half a second. */
const MOST_WALKED = 5_000_000;

/** All searches of the prover for a page. Each search runs when its result is first needed. */
export class Searches {
  readonly space: StateSpace;
  readonly walkBudget: Budget = { left: MOST_WALKED };
  /** The matchers of each search; never empty. */
  readonly #groups: readonly (readonly KeyedMatcher[])[];
  readonly #sets = new Map<string, ReachableSet>();
  readonly #matchersOf = new WeakMap<ReachableSet, readonly KeyedMatcher[]>();
  readonly #budget: Budget = { left: MOST_TRIED };
  /** Budget of a search for a single claim, which runs if the search for many claims exceeded its limit. */
  readonly #retryBudget: Budget = { left: MOST_TRIED / 4 };
  readonly #evaluators: Readonly<Record<Approximation, TransitionEvaluator>>;
  #reachability: RowReachability | undefined;

  constructor(space: StateSpace, histories: readonly HistoryQuery[]) {
    this.space = space;
    this.#groups = groupHistories(histories);
    this.#evaluators = {
      certain: new TransitionEvaluator(space, "certain"),
      possible: new TransitionEvaluator(space, "possible"),
    };
  }

  /** Number of states that all searches together have reached. */
  get states(): number {
    return [...this.#sets.values()].reduce((sum, { conversations }) => sum + conversations.length, 0);
  }

  /** Reachability of rows, from a search without matchers. */
  get reachability(): RowReachability {
    this.#reachability ??= new RowReachability(this.space, this.exploreFor(NO_HISTORY));
    return this.#reachability;
  }

  /**
   * Returns the reachable set of a search that tracks the matchers of a history (a query about the data that was read).
   * If the search that several histories share exceeds its limit of steps, this function runs a search for this history
   * only.
   */
  exploreFor(history: HistoryQuery, approximation: Approximation = "possible"): ReachableSet {
    const shared = this.#groups.find((matchers) => hasHistory(matchers, history)) ?? [];
    const reachable = this.#search(shared, approximation, this.#budget);
    const alone = deriveMatchers(history);
    if (reachable.exceededLimit?.kind !== "steps" || alone.length === shared.length) return reachable;
    return this.#search(alone, approximation, this.#retryBudget);
  }

  /** Returns the bits that stand for the matchers of a history in `seen` of the states of a search. */
  selectBits(reachable: ReachableSet, history: HistoryQuery): number {
    const wanted = new Set(deriveMatchers(history).map(({ key }) => key));
    const matchers = this.#matchersOf.get(reachable) ?? [];
    return matchers.reduce((bits, { key }, at) => (wanted.has(key) ? bits | (1 << at) : bits), 0);
  }

  #search(matchers: readonly KeyedMatcher[], approximation: Approximation, budget: Budget): ReachableSet {
    const key = serializeValue([approximation, matchers.map(({ key }) => key)]);
    const known = this.#sets.get(key);
    if (known !== undefined) return known;
    const cleared = matchers.reduce((bits, { withoutReleases }, at) => (withoutReleases ? bits | (1 << at) : bits), 0);
    const watched = { matchers: matchers.map(({ matcher }) => matcher), cleared };
    const set = computeReachableSet(this.space, watched, this.#evaluators[approximation], budget);
    this.#sets.set(key, set);
    this.#matchersOf.set(set, matchers);
    return set;
  }
}

function hasHistory(matchers: readonly KeyedMatcher[], history: HistoryQuery): boolean {
  return deriveMatchers(history).every(({ key }) => matchers.some((matcher) => matcher.key === key));
}

function deriveMatchers({ matchers, withoutReleases }: HistoryQuery): KeyedMatcher[] {
  return matchers.map((matcher) => ({ key: serializeValue([matcher, withoutReleases]), matcher, withoutReleases }));
}

/** Groups matchers so that all matchers of a history are in the same group. */
function groupHistories(histories: readonly HistoryQuery[]): KeyedMatcher[][] {
  const lists: KeyedMatcher[][] = [[]];
  for (const history of histories) {
    const matchers = deriveMatchers(history);
    const last = lists[lists.length - 1] ?? [];
    const added = matchers.filter(({ key }) => !last.some((matcher) => matcher.key === key));
    if (last.length + added.length <= MOST_MATCHERS) last.push(...added);
    else lists.push(matchers);
  }
  return lists;
}
