import type { PromptReachability } from "./demand/prompt-reachability.ts";
import { ANY_GATE, encodeGate, type Gates, NO_GATE } from "./modes.ts";
import type { ReachableSet } from "./search.ts";
import type { StateSpace } from "./state-space.ts";
import type { Transition } from "./transitions.ts";

/** The reachable labels and gates of each row. */
export class RowReachability {
  readonly #space: StateSpace;
  readonly #reachable: ReachableSet;
  /** Labels that conversations reach, by row, each once. */
  readonly #labels: readonly ReadonlySet<number>[];
  /** Computed gates, by row, then by kind of tool. */
  readonly #gates: Gates[][];

  constructor(space: StateSpace, reachable: ReachableSet) {
    const labels = space.locations.map(() => new Set<number>());
    const { place, label } = reachable.frontier;
    for (const state of reachable.conversations) labels[place[state] ?? 0]?.add(label[state] ?? 0);
    this.#space = space;
    this.#reachable = reachable;
    this.#labels = labels;
    this.#gates = space.locations.map(() => []);
  }

  /**
   * Returns whether the search ended without exceeding a limit. If so, every state that the search did not find is
   * unreachable.
   */
  get isComplete(): boolean {
    return this.#reachable.exceededLimit === undefined;
  }

  getLabels(row: number): ReadonlySet<number> {
    return this.#labels[row] ?? new Set();
  }

  /**
   * Returns the gates behind which the tool may run. If the search is incomplete, these are all gates, unless the tool
   * never runs in the row.
   */
  getPossibleGates(row: number, tool: number): Gates {
    if (this.isComplete) return this.getReachedGates(row, tool);
    return this.#getTransition(row, this.#getKind(tool)) === undefined ? NO_GATE : ANY_GATE;
  }

  /** Returns the gates behind which the search found that the tool can run. */
  getReachedGates(row: number, tool: number): Gates {
    const kind = this.#getKind(tool);
    const byKind = this.#gates[row] ?? [];
    byKind[kind] ??= this.#computeGatesOfKind(row, kind);
    return byKind[kind];
  }

  #computeGatesOfKind(row: number, kind: number): Gates {
    const location = this.#space.locations[row];
    const transition = this.#getTransition(row, kind);
    if (location === undefined || transition === undefined) return NO_GATE;
    const { evaluator } = this.#reachable;
    const reached = [...this.getLabels(row)].map(
      (label) => evaluator.evaluateTransition(location, transition, label)?.gates ?? NO_GATE,
    );
    return reached.reduce((all, some) => all | some, NO_GATE);
  }

  #getKind(tool: number): number {
    return this.#space.kinds.kindOf[tool] ?? -1;
  }

  #getTransition(row: number, kind: number): Transition | undefined {
    const location = this.#space.locations[row];
    return location?.transitions[location.transitionOf[kind] ?? -1];
  }

  /** Returns the reachability queries that the computation of the prompt demand needs. */
  get promptReachability(): PromptReachability {
    const gated = ANY_GATE & ~encodeGate("auto");
    return {
      isReached: (row) => !this.isComplete || this.getLabels(row).size > 0,
      isGated: (row, tool) => (this.getPossibleGates(row, tool) & gated) !== NO_GATE,
    };
  }
}
