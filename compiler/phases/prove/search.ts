import type { EnabledTransition, TransitionEvaluator } from "./evaluator.ts";
import { Frontier, type StateId } from "./frontier.ts";
import type { LabelId } from "./labels.ts";
import { createMatcherLookup, type Matcher } from "./matcher.ts";
import { Ranks } from "./ranks.ts";
import type { Location, StateSpace } from "./state-space.ts";
import type { Edge, StoreGroup, Transition } from "./transitions.ts";

// Computes all reachable states, as a least fixed point. The state of a conversation consists of a row, a label, and
// the matchers that are met by the data that the conversation has read. An entry of a store consists of the label of
// data that was written, and the matchers that this data meets. States are reached in the order of their steps, so the
// first counterexample is a shortest one.

/** Maximum number of labels in one row. Compartments that no label distinguishes count as one. */
export const MOST_LABELS = 65_536;
/**
 * Maximum number of steps that all searches of a page try together, which takes about a second; retries may try a
 * quarter more. Ten thousand tools in fifty sessions need a twelfth of this number.
 */
export const MOST_TRIED = 600_000;

/** The number of steps that all searches together may still try. */
export interface Budget {
  left: number;
}

/** Matchers that a search tracks. Bit i in `seen` of a state states whether data that meets matcher i was read. */
interface WatchedMatchers {
  readonly matchers: readonly Matcher[];
  /** Bits of the matchers for which data that flowed only because of a release does not count as read. */
  readonly cleared: number;
}

/** The states that a search has reached. */
export interface ReachableSet {
  readonly evaluator: TransitionEvaluator;
  readonly frontier: Frontier;
  /** The states of conversations, but not of stored data; those with the fewest steps first. */
  readonly conversations: readonly StateId[];
  /** The states of conversations by row; those with the fewest steps first. */
  readonly byRow: readonly (readonly StateId[])[];
  /** Indexes of the tables' releases that some reachable call needs. */
  readonly releases: ReadonlySet<number>;
  /**
   * The limit at which the search stopped; `undefined` if it did not. If the search stopped at a limit, the set is
   * incomplete, and a missing state may be reachable.
   */
  readonly exceededLimit: ExceededLimit | undefined;
}

/** The limit that a search exceeded: the number of labels in a row, or the number of steps. */
export type ExceededLimit = { readonly kind: "labels"; readonly row: number } | { readonly kind: "steps" };

/** Returns the reachable set. The set is incomplete if a limit was exceeded. */
export function computeReachableSet(
  space: StateSpace,
  watched: WatchedMatchers,
  evaluator: TransitionEvaluator,
  budget: Budget,
): ReachableSet {
  const search = new Search(space, watched, evaluator, budget);
  search.run();
  return search;
}

class Search implements ReachableSet {
  readonly evaluator: TransitionEvaluator;
  readonly frontier: Frontier;
  readonly conversations: StateId[] = [];
  readonly releases = new Set<number>();
  exceededLimit: ExceededLimit | undefined;
  readonly #space: StateSpace;
  readonly #watched: WatchedMatchers;
  readonly #getMatcherBits: (label: LabelId) => number;
  readonly byRow: StateId[][];
  /** For each store (the data of a service), the states of this data. */
  readonly #storeContents: StateId[][];
  readonly #filledStores = new Set<number>();
  readonly #labels: Set<LabelId>[];
  /**
   * For each state, a set of label ranges as bits. If bit i is set, joining one more call result with a label of range
   * i into the state gives no new state. Ranges after the first thirty have no bit.
   */
  readonly #consumedRanges: number[] = [];
  readonly #ranks = new Ranks();
  /**
   * States of ended workers, to be joined into the conversations that may have started them. The index is the row of
   * the worker; the key is the bit of the label range of the result that the worker read.
   */
  readonly #workerResults: Map<number, StateId[]>[];
  /**
   * States of conversations into which states of ended workers may still have to be joined. The index is the row of the
   * conversation; the key is the bit of the label range of the result that the worker read.
   */
  readonly #pendingParents: Map<number, StateId[]>[];
  readonly #budget: Budget;

  constructor(space: StateSpace, watched: WatchedMatchers, evaluator: TransitionEvaluator, budget: Budget) {
    this.#budget = budget;
    this.#watched = watched;
    this.evaluator = evaluator;
    this.frontier = new Frontier(watched.matchers.length);
    this.#space = space;
    this.#getMatcherBits = createMatcherLookup(space.labels, watched.matchers);
    this.byRow = space.locations.map(() => []);
    this.#labels = space.locations.map(() => new Set());
    this.#storeContents = space.stores.map(() => []);
    this.#workerResults = space.locations.map(() => new Map());
    this.#pendingParents = space.locations.map(() => new Map());
  }

  run(): void {
    for (const { index, begins, starts } of this.#space.locations)
      if (begins) this.frontier.offer(this.#intern(index, starts, 0), 1, () => ({ kind: "begin" }));
    for (let state = this.frontier.takeNext(); state !== undefined; state = this.frontier.takeNext()) {
      const place = this.frontier.place[state] ?? 0;
      const location = this.#space.locations[place];
      if (location === undefined) this.#propagateEntry(state, -1 - place);
      else this.#expandState(state, location);
      if (this.#budget.left < 0) this.exceededLimit ??= { kind: "steps" };
      if (this.exceededLimit !== undefined) return;
    }
  }

  /** Returns the state number of a conversation after a step, and counts the step. */
  #intern(row: number, label: LabelId, seen: number): StateId {
    this.#budget.left--;
    const met = this.#labels[row];
    if (met !== undefined && met.add(label).size > MOST_LABELS) this.exceededLimit = { kind: "labels", row };
    return this.frontier.intern(row, label, seen | this.#getMatcherBits(label));
  }

  /** Takes every step from the state of a conversation. */
  #expandState(from: StateId, location: Location): void {
    const { frontier } = this;
    const { labels, locations, tables } = this.#space;
    const { index } = location;
    const label = frontier.label[from] ?? 0;
    const seen = frontier.seen[from] ?? 0;
    const next = (frontier.steps[from] ?? 0) + 1;
    const derivation = frontier.derivation[from];
    if (label === location.starts && seen === this.#getMatcherBits(label)) this.#ranks.noteStart(from);
    else if (derivation !== undefined) this.#ranks.note(from, derivation);
    this.conversations.push(from);
    this.byRow[index]?.push(from);
    for (const parents of this.#pendingParents[index]?.values() ?? []) parents.push(from);
    for (const row of location.later)
      frontier.offer(this.#intern(row, label, seen), next, () => ({ kind: "phase", from }));
    for (const ingress of location.ingresses) {
      const words = tables.ingresses[ingress]?.label;
      if (words === undefined) continue;
      const entered = this.#intern(index, labels.join(label, labels.internLabel(words)), seen);
      frontier.offer(entered, next, () => ({ kind: "ingress", from, ingress }));
    }
    for (const row of location.workers) {
      const begun = labels.join(label, locations[row]?.starts ?? label);
      frontier.offer(this.#intern(row, begun, seen), next, () => ({ kind: "started", from }));
    }
    for (const transition of location.transitions) this.#applyTransition(from, location, transition);
    for (const row of location.workers)
      for (const [range, results] of this.#workerResults[row] ?? [])
        if (!this.#isConsumed(from, range)) for (const worker of results) this.#joinWorker(from, worker, index);
    if (location.parent !== undefined) this.#endWorker(from, location);
  }

  /** Returns whether joining one more call result with a label of this range into the state gives no new state. */
  #isConsumed(state: StateId, range: number): boolean {
    return ((this.#consumedRanges[state] ?? 0) & range) !== 0;
  }

  /**
   * Joins the state of an ended worker into the conversation that started the worker, and into all other conversations
   * in the row of this conversation.
   */
  #endWorker(worker: StateId, { index, parent = index }: Location): void {
    const { label, seen, steps } = this.frontier;
    const next = (steps[worker] ?? 0) + 1;
    const ended = this.#intern(parent, label[worker] ?? 0, seen[worker] ?? 0);
    this.frontier.offer(ended, next, () => ({ kind: "ended", worker }));
    if (this.#ranks.getRank(worker) !== 1) return;
    const range = this.#ranks.getRange(worker);
    const alike = this.#workerResults[index]?.get(range);
    if (alike === undefined) this.#workerResults[index]?.set(range, [worker]);
    else alike.push(worker);
    for (const from of this.#findPendingParents(parent, range)) this.#joinWorker(from, worker, parent);
  }

  /** Returns the states of a row into which call results with a label of this range may still have to be joined. */
  #findPendingParents(row: number, range: number): readonly StateId[] {
    const pending = this.#pendingParents[row];
    const left = (pending?.get(range) ?? this.byRow[row] ?? []).filter((state) => !this.#isConsumed(state, range));
    pending?.set(range, left);
    return left;
  }

  #joinWorker(from: StateId, worker: StateId, parent: number): void {
    const { label, seen, steps } = this.frontier;
    const joined = this.#space.labels.join(label[from] ?? 0, label[worker] ?? 0);
    const both = (seen[from] ?? 0) | (seen[worker] ?? 0);
    const next = (steps[from] ?? 0) + (steps[worker] ?? 0) + 1;
    const state = this.#intern(parent, joined, both);
    this.frontier.offer(state, next, () => ({ kind: "joined", from, worker }));
    // If joining the worker's data changed the state, the new state needs no further call result with a label of the same
    // range. If the state stayed the same, such a result may still change the state, so the range is not marked.
    if (state !== from) this.#consumedRanges[state] = (this.#consumedRanges[state] ?? 0) | this.#ranks.getRange(worker);
  }

  #applyTransition(from: StateId, location: Location, transition: Transition): void {
    const label = this.frontier.label[from] ?? 0;
    const enabled = this.evaluator.evaluateTransition(location, transition, label);
    if (enabled === null) return;
    if (enabled.release !== undefined) this.releases.add(enabled.release.index);
    for (const edge of transition.outcomes) this.#applyResults(from, location, edge);
    if (this.#watched.matchers.length === 0) return;
    for (const group of transition.writes) this.#writeStores(from, group, enabled);
    for (const store of this.#filledStores)
      for (const edge of transition.reads.get(store) ?? [])
        for (const entry of this.#storeContents[store] ?? []) this.#readStore(from, location, edge, entry);
  }

  /** Joins every label that the tool may state for its result into the label of the conversation. */
  #applyResults(from: StateId, { index }: Location, { tool, range, result }: Edge): void {
    const bit = range < 30 ? 1 << range : 0;
    // If this state already contains a result with a label of this range, a second one is not needed: one result whose
    // label is the join of both labels reaches the same state in fewer steps.
    if (this.#isConsumed(from, bit)) return;
    this.#consumedRanges[from] = (this.#consumedRanges[from] ?? 0) | bit;
    const { frontier } = this;
    const [label, seen, next] = [frontier.label[from] ?? 0, frontier.seen[from] ?? 0, (frontier.steps[from] ?? 0) + 1];
    this.#space.labels.joinRange(label, result, (joined) => {
      const state = this.#intern(index, joined, seen);
      frontier.offer(state, next, () => ({ kind: "call", from, tool, range: bit }));
      this.#consumedRanges[state] = (this.#consumedRanges[state] ?? 0) | bit;
      return this.exceededLimit === undefined && this.#budget.left >= 0;
    });
  }

  /** Writes the arguments of a call into the stores of the services to which they flow. */
  #writeStores(from: StateId, group: StoreGroup, { sent, release }: EnabledTransition): void {
    const seen = (this.frontier.seen[from] ?? 0) & ~(release === undefined ? 0 : this.#watched.cleared);
    const label = this.#computeStoredLabel(group, sent);
    if (!this.#isWorthStoring(group, label, seen)) return;
    const next = (this.frontier.steps[from] ?? 0) + 1;
    for (const { store, tool } of group.edges) {
      this.#budget.left--;
      const entry = this.frontier.intern(-1 - store, label, seen);
      this.frontier.offer(entry, next, () => ({ kind: "wrote", from, tool }));
    }
  }

  #computeStoredLabel({ low, high }: Pick<StoreGroup, "low" | "high">, sent: LabelId): LabelId {
    if (low === high) return low;
    const { labels } = this.#space;
    const joined = labels.join(low, sent);
    return labels.mayFlow(joined, high) ? joined : high;
  }

  /**
   * Returns whether the written data must be tracked as a state of its own. This is so in two cases: the bits of the
   * data contain matchers that its label does not meet, or another store may give the data another label.
   */
  #isWorthStoring({ exchanging }: StoreGroup, label: LabelId, seen: number): boolean {
    return exchanging || (seen & ~this.#getMatcherBits(label)) !== 0;
  }

  /**
   * Passes new data of a store to the stores that share data with this store, and to every conversation that can read
   * it.
   */
  #propagateEntry(entry: StateId, store: number): void {
    const { label, seen, steps } = this.frontier;
    const [sent, bits, count] = [label[entry] ?? 0, seen[entry] ?? 0, steps[entry] ?? 0];
    this.#storeContents[store]?.push(entry);
    this.#filledStores.add(store);
    for (const other of this.#space.stores[store]?.exchanges ?? []) {
      const into = this.#space.stores[other];
      if (into === undefined) continue;
      this.#budget.left--;
      const granted = this.frontier.intern(-1 - other, this.#computeStoredLabel(into, sent), bits);
      this.frontier.offer(granted, count, () => ({ kind: "granted", from: entry }));
    }
    for (const location of this.#space.locations)
      for (const transition of location.transitions)
        for (const edge of transition.reads.get(store) ?? [])
          for (const from of this.byRow[location.index] ?? [])
            if (this.evaluator.evaluateTransition(location, transition, label[from] ?? 0) !== null)
              this.#readStore(from, location, edge, entry);
  }

  #readStore(from: StateId, location: Location, { tool, result }: Edge, entry: StateId): void {
    const { labels } = this.#space;
    const { label, seen, steps } = this.frontier;
    this.#budget.left--;
    const stated = labels.join(labels.internLabel(result.low), label[entry] ?? 0);
    if (!labels.mayFlow(stated, labels.internLabel(result.high))) return;
    const now = labels.join(label[from] ?? 0, stated);
    // A withheld result does not count as read; only its label is joined into the label of the conversation.
    const learned = labels.mayFlow(now, location.clearance) ? (seen[entry] ?? 0) : 0;
    const next = (steps[from] ?? 0) + (steps[entry] ?? 0) + 1;
    const state = this.#intern(location.index, now, (seen[from] ?? 0) | learned);
    this.frontier.offer(state, next, () => ({ kind: "call", from, tool, range: 0, entry }));
  }
}
