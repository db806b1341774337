import type { LabelId } from "./labels.ts";

/** A place, a label and what was seen, by number. */
export type ItemId = number;

/** The last step by which something was reached, and what it took. */
export type Derivation =
  | { readonly kind: "begin" }
  | { readonly kind: "phase"; readonly from: ItemId }
  | { readonly kind: "ingress"; readonly from: ItemId; readonly ingress: number }
  | {
      readonly kind: "call";
      readonly from: ItemId;
      readonly tool: number;
      /** Bit of the range of its results; 0 beyond the first thirty. */
      readonly range: number;
      /** What the store held, where that is what came back. */
      readonly entry?: ItemId;
    }
  | { readonly kind: "wrote"; readonly from: ItemId; readonly tool: number }
  | { readonly kind: "granted"; readonly from: ItemId }
  | { readonly kind: "started"; readonly from: ItemId }
  /** A worker's end, into the very conversation that started it. */
  | { readonly kind: "ended"; readonly worker: ItemId }
  | { readonly kind: "joined"; readonly from: ItemId; readonly worker: ItemId };

interface Queue {
  readonly items: ItemId[];
  next: number;
}

/**
 * What was reached and by how many steps: Dijkstra's search, where a step may take two things that were reached (Knuth 1977).
 * What comes out of `next` comes out once, in the order of its steps, and its derivation is final from then on.
 */
export class Frontier {
  /** Of each item: a row's index, or for what a store holds -1 less the store's. */
  readonly place: number[] = [];
  readonly label: LabelId[] = [];
  readonly seen: number[] = [];
  readonly steps: number[] = [];
  readonly how: Derivation[] = [];
  readonly #bits: number;
  readonly #ids = new Map<number, Map<number, ItemId>>();
  readonly #waiting = new Map<number, Queue>();
  /** Numbers of steps that something waits with, most first. */
  readonly #counts: number[] = [];
  readonly #final: boolean[] = [];

  constructor(bits: number) {
    this.#bits = bits;
  }

  get size(): number {
    return this.place.length;
  }

  /** The item, whether or not this is news; `how` is asked for only where it is. */
  offer(place: number, label: LabelId, seen: number, steps: number, how: () => Derivation): ItemId {
    const here = this.#ids.get(place) ?? new Map<number, ItemId>();
    if (here.size === 0) this.#ids.set(place, here);
    const key = label * 2 ** this.#bits + seen;
    const known = here.get(key);
    if (known !== undefined && (this.steps[known] ?? 0) <= steps) return known;
    const id = known ?? this.place.length;
    if (known === undefined) {
      here.set(key, id);
      this.place.push(place);
      this.label.push(label);
      this.seen.push(seen);
    }
    this.steps[id] = steps;
    this.how[id] = how();
    this.#wait(id, steps);
    return id;
  }

  /** What takes the fewest steps of all that wait; undefined at the end. */
  takeNext(): ItemId | undefined {
    for (;;) {
      const least = this.#counts[this.#counts.length - 1];
      const waiting = least === undefined ? undefined : this.#waiting.get(least);
      if (least === undefined || waiting === undefined) return undefined;
      const id = waiting.items[waiting.next++];
      if (id === undefined) {
        this.#waiting.delete(least);
        this.#counts.pop();
      } else if (this.#final[id] !== true) {
        this.#final[id] = true;
        return id;
      }
    }
  }

  #wait(id: ItemId, steps: number): void {
    const waiting = this.#waiting.get(steps);
    if (waiting !== undefined) {
      waiting.items.push(id);
      return;
    }
    this.#waiting.set(steps, { items: [id], next: 0 });
    const at = this.#counts.findLastIndex((count) => count > steps);
    this.#counts.splice(at + 1, 0, steps);
  }
}
