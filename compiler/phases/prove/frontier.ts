import type { LabelId } from "./labels.ts";

/** The number of a state. A state consists of a place, a label and a bit for each matcher that was met. */
export type StateId = number;

/** The last step by which a state was reached, with the states and the tool that the step used. */
export type Derivation =
  | { readonly kind: "begin" }
  | { readonly kind: "phase"; readonly from: StateId }
  | { readonly kind: "ingress"; readonly from: StateId; readonly ingress: number }
  | {
      readonly kind: "call";
      readonly from: StateId;
      readonly tool: number;
      /**
       * Bit that identifies the label range of the call's result. The value is 0 if the call returned stored data, or
       * if the range is not one of the first thirty.
       */
      readonly range: number;
      /** State of the stored data that the call returned; absent if the call returned no stored data. */
      readonly entry?: StateId;
    }
  | { readonly kind: "wrote"; readonly from: StateId; readonly tool: number }
  | { readonly kind: "granted"; readonly from: StateId }
  | { readonly kind: "started"; readonly from: StateId }
  /** A worker has ended, and its state becomes a state of the conversation that started it. */
  | { readonly kind: "ended"; readonly worker: StateId }
  | { readonly kind: "joined"; readonly from: StateId; readonly worker: StateId };

interface Queue {
  readonly states: StateId[];
  next: number;
}

/**
 * Reached states with their step counts: Dijkstra's search, extended to steps that combine two reached states (Knuth 1977).
 * `takeNext` yields each state once, in the order of step counts; after that, the derivation of the state is final.
 */
export class Frontier {
  /**
   * Place of each state. For a conversation it is the index of the row. For data that a call stored it is -1 minus the
   * index of the store.
   */
  readonly place: number[] = [];
  readonly label: LabelId[] = [];
  readonly seen: number[] = [];
  readonly steps: number[] = [];
  readonly derivation: Derivation[] = [];
  readonly #bits: number;
  readonly #ids = new Map<number, Map<number, StateId>>();
  readonly #waiting = new Map<number, Queue>();
  /** Step counts for which there are waiting states, the largest first. */
  readonly #counts: number[] = [];
  readonly #final: boolean[] = [];

  constructor(bits: number) {
    this.#bits = bits;
  }

  get size(): number {
    return this.place.length;
  }

  /**
   * Returns the number of a state, which may be new or known. A new state has no step count until `offer` is called for
   * it.
   */
  intern(place: number, label: LabelId, seen: number): StateId {
    const ofPlace = this.#ids.get(place) ?? new Map<number, StateId>();
    if (ofPlace.size === 0) this.#ids.set(place, ofPlace);
    const key = label * 2 ** this.#bits + seen;
    const known = ofPlace.get(key);
    if (known !== undefined) return known;
    const state = this.place.length;
    ofPlace.set(key, state);
    this.place.push(place);
    this.label.push(label);
    this.seen.push(seen);
    return state;
  }

  /**
   * Records that a state can be reached in `steps` steps, and returns the state. `derive` is called only if the state
   * is new, or if `steps` is lower than its known step count.
   */
  offer(state: StateId, steps: number, derive: () => Derivation): StateId {
    const known = this.steps[state];
    if (known !== undefined && known <= steps) return state;
    this.steps[state] = steps;
    this.derivation[state] = derive();
    this.#wait(state, steps);
    return state;
  }

  /** Returns the waiting state with the fewest steps, or `undefined` if no state is waiting. */
  takeNext(): StateId | undefined {
    for (;;) {
      const least = this.#counts[this.#counts.length - 1];
      const waiting = least === undefined ? undefined : this.#waiting.get(least);
      if (least === undefined || waiting === undefined) return undefined;
      const id = waiting.states[waiting.next++];
      if (id === undefined) {
        this.#waiting.delete(least);
        this.#counts.pop();
      } else if (this.#final[id] !== true) {
        this.#final[id] = true;
        return id;
      }
    }
  }

  #wait(id: StateId, steps: number): void {
    const waiting = this.#waiting.get(steps);
    if (waiting !== undefined) {
      waiting.states.push(id);
      return;
    }
    this.#waiting.set(steps, { states: [id], next: 0 });
    const at = this.#counts.findLastIndex((count) => count > steps);
    this.#counts.splice(at + 1, 0, steps);
  }
}
