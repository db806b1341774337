import type { Door, Outlet, Way } from "./doors.ts";
import { Frontier, type ItemId } from "./frontier.ts";
import type { LabelId } from "./labels.ts";
import { createMatcherLookup, type Matcher } from "./matcher.ts";
import type { Passing, Passings } from "./passing.ts";
import { Ranks } from "./ranks.ts";
import type { Ground, Terrain } from "./terrain.ts";

// The least fixed point of all that conversations can come to: a conversation is a row, a label and which matchers something
// that it has seen meets; beside the conversations stands what each store holds, as a label and the matchers that what was
// written there met. Everything is reached by the fewest steps first, so that what is found first is the shortest.

/** Of one row, compartments that nothing tells apart counted once. */
export const MOST_LABELS = 65_536;
/**
 * Steps that are tried for one page, all its searches together, and a quarter once more: about a second. Ten thousand tools in
 * fifty sessions take a twelfth of it.
 */
export const MOST_TRIED = 600_000;

/** What is left to be tried, of all searches together. */
export interface Effort {
  left: number;
}

/** What is looked for in the past of conversations: bit i of what was seen for matcher i. */
interface Lookout {
  readonly matchers: readonly Matcher[];
  /** Bits of matchers for which what a release lets out counts as not seen where it goes. */
  readonly cleared: number;
}

/** What a search has reached. */
export interface Explored {
  readonly passings: Passings;
  readonly frontier: Frontier;
  /** Conversations alone, in the order of their steps. */
  readonly conversations: readonly ItemId[];
  /** The same by row. */
  readonly inRows: readonly (readonly ItemId[])[];
  /** Indexes into the tables' releases that some call needs. */
  readonly releases: ReadonlySet<number>;
  /** Why it was given up, where it was: then nothing is proved by what was not found. */
  readonly givenUp: GivenUp | undefined;
}

/** More labels in a row, or more steps, than are looked at. */
export type GivenUp = { readonly kind: "labels"; readonly row: number } | { readonly kind: "steps" };

/** Reaches all that there is, or gives up. */
export function explore(terrain: Terrain, lookout: Lookout, passings: Passings, effort: Effort): Explored {
  const search = new Search(terrain, lookout, passings, effort);
  search.run();
  return search;
}

class Search implements Explored {
  readonly passings: Passings;
  readonly frontier: Frontier;
  readonly conversations: ItemId[] = [];
  readonly releases = new Set<number>();
  givenUp: GivenUp | undefined;
  readonly #terrain: Terrain;
  readonly #lookout: Lookout;
  readonly #bitsOf: (label: LabelId) => number;
  readonly inRows: ItemId[][];
  /** By store. */
  readonly #held: ItemId[][];
  readonly #holding = new Set<number>();
  readonly #labels: Set<LabelId>[];
  /** Ranges of which all results are known to be reached with an item: bit i for range i, of the first thirty. */
  readonly #spent: number[] = [];
  readonly #ranks = new Ranks();
  /** By row of a worker: what parents have to be joined with, by the bit of its range. */
  readonly #lessons: Map<number, ItemId[]>[];
  /** By row of a parent, and the same bit: those that may still have to be joined. */
  readonly #open: Map<number, ItemId[]>[];
  readonly #effort: Effort;

  constructor(terrain: Terrain, lookout: Lookout, passings: Passings, effort: Effort) {
    this.#effort = effort;
    this.#lookout = lookout;
    this.passings = passings;
    this.frontier = new Frontier(lookout.matchers.length);
    this.#terrain = terrain;
    this.#bitsOf = createMatcherLookup(terrain.labels, lookout.matchers);
    this.inRows = terrain.grounds.map(() => []);
    this.#labels = terrain.grounds.map(() => new Set());
    this.#held = terrain.stores.map(() => []);
    this.#lessons = terrain.grounds.map(() => new Map());
    this.#open = terrain.grounds.map(() => new Map());
  }

  run(): void {
    for (const { index, begins, starts } of this.#terrain.grounds)
      if (begins) this.#reach(index, starts, 0, 1, () => ({ kind: "begin" }));
    for (let item = this.frontier.takeNext(); item !== undefined; item = this.frontier.takeNext()) {
      const place = this.frontier.place[item] ?? 0;
      const ground = this.#terrain.grounds[place];
      if (ground === undefined) this.#spread(item, -1 - place);
      else this.#goOn(item, ground);
      if (this.#effort.left < 0) this.givenUp ??= { kind: "steps" };
      if (this.givenUp !== undefined) return;
    }
  }

  #reach(...[row, label, seen, steps, how]: Parameters<Frontier["offer"]>): ItemId {
    this.#effort.left--;
    const met = this.#labels[row];
    if (met !== undefined && met.add(label).size > MOST_LABELS) this.givenUp = { kind: "labels", row };
    return this.frontier.offer(row, label, seen | this.#bitsOf(label), steps, how);
  }

  /** Every step from a conversation. */
  #goOn(from: ItemId, ground: Ground): void {
    const { labels, grounds, tables } = this.#terrain;
    const { index } = ground;
    const label = this.frontier.label[from] ?? 0;
    const seen = this.frontier.seen[from] ?? 0;
    const next = (this.frontier.steps[from] ?? 0) + 1;
    const how = this.frontier.how[from];
    const starts = label === ground.starts && seen === this.#bitsOf(label);
    if (how !== undefined) this.#ranks.note(from, how, starts);
    this.conversations.push(from);
    this.inRows[index]?.push(from);
    for (const waiting of this.#open[index]?.values() ?? []) waiting.push(from);
    for (const row of ground.later) this.#reach(row, label, seen, next, () => ({ kind: "phase", from }));
    for (const ingress of ground.ingresses) {
      const words = tables.ingresses[ingress]?.label;
      if (words === undefined) continue;
      this.#reach(index, labels.join(label, labels.internLabel(words)), seen, next, () => ({
        kind: "ingress",
        from,
        ingress,
      }));
    }
    for (const row of ground.workers) {
      const begun = labels.join(label, grounds[row]?.starts ?? label);
      this.#reach(row, begun, seen, next, () => ({ kind: "started", from }));
    }
    for (const door of ground.doors) this.#call(from, ground, door);
    for (const row of ground.workers)
      for (const [range, lessons] of this.#lessons[row] ?? [])
        if (!this.#isSpent(from, range)) for (const worker of lessons) this.#joinWorker(from, worker, index);
    if (ground.parent !== undefined) this.#endWorker(from, ground);
  }

  /** All results of a range are known to be reached with it. */
  #isSpent(item: ItemId, range: number): boolean {
    return ((this.#spent[item] ?? 0) & range) !== 0;
  }

  /** Back into the conversation that started it, and into any other of the same row. */
  #endWorker(worker: ItemId, { index, parent = index }: Ground): void {
    const { label, seen, steps } = this.frontier;
    const next = (steps[worker] ?? 0) + 1;
    this.#reach(parent, label[worker] ?? 0, seen[worker] ?? 0, next, () => ({ kind: "ended", worker }));
    if (this.#ranks.getRank(worker) !== 1) return;
    const range = this.#ranks.getRange(worker);
    const alike = this.#lessons[index]?.get(range);
    if (alike === undefined) this.#lessons[index]?.set(range, [worker]);
    else alike.push(worker);
    for (const from of this.#findUnconsumedItems(parent, range)) this.#joinWorker(from, worker, parent);
  }

  /** Conversations of a row with which not all results of a range are reached yet: those that need to be looked at again. */
  #findUnconsumedItems(row: number, range: number): readonly ItemId[] {
    const open = this.#open[row];
    const left = (open?.get(range) ?? this.inRows[row] ?? []).filter((item) => !this.#isSpent(item, range));
    open?.set(range, left);
    return left;
  }

  #joinWorker(from: ItemId, worker: ItemId, parent: number): void {
    const { label, seen, steps } = this.frontier;
    const joined = this.#terrain.labels.join(label[from] ?? 0, label[worker] ?? 0);
    const both = (seen[from] ?? 0) | (seen[worker] ?? 0);
    const next = (steps[from] ?? 0) + (steps[worker] ?? 0) + 1;
    const item = this.#reach(parent, joined, both, next, () => ({ kind: "joined", from, worker }));
    // Of what is left as it was the other results are still to come.
    if (item !== from) this.#spent[item] = (this.#spent[item] ?? 0) | this.#ranks.getRange(worker);
  }

  #call(from: ItemId, ground: Ground, door: Door): void {
    const label = this.frontier.label[from] ?? 0;
    const passing = this.passings.evaluateTransition(ground, door, label);
    if (passing === null) return;
    if (passing.release !== undefined) this.releases.add(passing.release.index);
    for (const way of door.outcomes) this.#hear(from, ground, way);
    if (this.#lookout.matchers.length === 0) return;
    for (const outlet of door.writes) this.#write(from, outlet, passing);
    for (const store of this.#holding)
      for (const way of door.reads.get(store) ?? [])
        for (const entry of this.#held[store] ?? []) this.#read(from, ground, way, entry);
  }

  /** Any label that the tool may state. */
  #hear(from: ItemId, { index }: Ground, { tool, range, result }: Way): void {
    const bit = range < 30 ? 1 << range : 0;
    // What one result of a range has led to, a second one of it leads to in one step less.
    if (this.#isSpent(from, bit)) return;
    this.#spent[from] = (this.#spent[from] ?? 0) | bit;
    const { frontier } = this;
    const [label, seen, next] = [frontier.label[from] ?? 0, frontier.seen[from] ?? 0, (frontier.steps[from] ?? 0) + 1];
    this.#terrain.labels.joinRange(label, result, (joined) => {
      const item = this.#reach(index, joined, seen, next, () => ({ kind: "call", from, tool, range: bit }));
      this.#spent[item] = (this.#spent[item] ?? 0) | bit;
      return this.givenUp === undefined && this.#effort.left >= 0;
    });
  }

  /** Arguments come to be held by the services that they flow to. */
  #write(from: ItemId, outlet: Outlet, { sent, release }: Passing): void {
    const seen = (this.frontier.seen[from] ?? 0) & ~(release === undefined ? 0 : this.#lookout.cleared);
    const label = this.#computeStoredLabel(outlet, sent);
    if (!this.#isWorthHolding(outlet.exchanging, label, seen)) return;
    const next = (this.frontier.steps[from] ?? 0) + 1;
    for (const { store, tool } of outlet.ways) {
      this.#effort.left--;
      this.frontier.offer(-1 - store, label, seen, next, () => ({ kind: "wrote", from, tool }));
    }
  }

  #computeStoredLabel({ low, high }: Pick<Outlet, "low" | "high">, sent: LabelId): LabelId {
    if (low === high) return low;
    const { labels } = this.#terrain;
    const joined = labels.join(low, sent);
    return labels.mayFlow(joined, high) ? joined : high;
  }

  /** What a label says by itself needs no remembering, unless it goes on to where another label is put on it. */
  #isWorthHolding(exchanging: boolean, label: LabelId, seen: number): boolean {
    return exchanging || (seen & ~this.#bitsOf(label)) !== 0;
  }

  /** What a store holds from now on: for those that share with it, and for every conversation that can ask for it. */
  #spread(entry: ItemId, store: number): void {
    const { label, seen, steps } = this.frontier;
    const [sent, bits, count] = [label[entry] ?? 0, seen[entry] ?? 0, steps[entry] ?? 0];
    this.#held[store]?.push(entry);
    this.#holding.add(store);
    for (const other of this.#terrain.stores[store]?.exchanges ?? []) {
      const into = this.#terrain.stores[other];
      if (into === undefined) continue;
      this.#effort.left--;
      this.frontier.offer(-1 - other, this.#computeStoredLabel(into, sent), bits, count, () => ({
        kind: "granted",
        from: entry,
      }));
    }
    for (const ground of this.#terrain.grounds)
      for (const door of ground.doors)
        for (const way of door.reads.get(store) ?? [])
          for (const from of this.inRows[ground.index] ?? [])
            if (this.passings.evaluateTransition(ground, door, label[from] ?? 0) !== null)
              this.#read(from, ground, way, entry);
  }

  #read(from: ItemId, ground: Ground, { tool, result }: Way, entry: ItemId): void {
    const { labels } = this.#terrain;
    const { label, seen, steps } = this.frontier;
    this.#effort.left--;
    const found = labels.join(labels.internLabel(result.low), label[entry] ?? 0);
    if (!labels.mayFlow(found, labels.internLabel(result.high))) return;
    const now = labels.join(label[from] ?? 0, found);
    // What is withheld has not been seen: the label alone counts.
    const learned = labels.mayFlow(now, ground.clearance) ? (seen[entry] ?? 0) : 0;
    const next = (steps[from] ?? 0) + (steps[entry] ?? 0) + 1;
    this.#reach(ground.index, now, (seen[from] ?? 0) | learned, next, () => ({
      kind: "call",
      from,
      tool,
      range: 0,
      entry,
    }));
  }
}
