import { applyRelease, checkFlow, isMet, type Releasing } from "../../../engine/lib/policy/index.ts";
import type { LabelId } from "./labels.ts";
import { type Gates, NO_GATE, raiseGates } from "./modes.ts";
import type { Location, StateSpace } from "./state-space.ts";
import type { Transition } from "./transitions.ts";

/** A transition that is enabled for some label. */
export interface EnabledTransition {
  /** Gates behind which calls can run, depending on their arguments; never empty. */
  readonly gates: Gates;
  /** Release by which the arguments flow; `undefined` if they may flow without a release. */
  readonly release: Releasing | undefined;
  /** Label that the arguments have at their destination. */
  readonly sent: LabelId;
}

/**
 * How the evaluator treats arguments that were neither found nor excluded: `certain` ignores them, and `possible`
 * assumes that they exist.
 */
export type Approximation = "certain" | "possible";

/**
 * Evaluates the guards of transitions. A guard decides whether the calls of a transition can run for a label. It is
 * evaluated with the gate's own functions, in the same order as in the gate, and only once for each label.
 */
export class TransitionEvaluator {
  readonly #space: StateSpace;
  readonly #approximation: Approximation;
  /** Evaluated transitions by guard, then by label; null if the transition is not enabled. */
  readonly #known: (EnabledTransition | null)[][] = [];

  constructor(space: StateSpace, approximation: Approximation) {
    this.#space = space;
    this.#approximation = approximation;
  }

  evaluateTransition(location: Location, transition: Transition, label: LabelId): EnabledTransition | null {
    this.#known[transition.guardId] ??= [];
    const known = this.#known[transition.guardId];
    const before = known?.[label];
    if (before !== undefined) return before;
    const evaluated = this.#evaluate(location, transition, label);
    if (known !== undefined) known[label] = evaluated;
    return evaluated;
  }

  #evaluate({ row, index }: Location, { abstraction, tool, sends }: Transition, id: LabelId): EnabledTransition | null {
    const { tables, labels } = this.#space;
    const label = labels.expandLabel(id);
    const seen = { label, unattended: false };
    const floors = abstraction.floors.filter((floor) => isMet(floor, seen));
    const asking = abstraction.conditional.filter((floor) => isMet(floor, seen));
    const { [this.#approximation]: gates } = asking.length === 0 ? abstraction : abstraction.raise(asking);
    const raised = floors.reduce((all, { mode }) => raiseGates(all, mode), gates);
    if (raised === NO_GATE) return null;
    // A tool that only reads on this machine sends no data, so its label need not be checked. Half of all calls that
    // are evaluated here are calls of such tools.
    if (!sends) return { gates: raised, release: undefined, sent: id };
    const flow = checkFlow(tables, row, { row: index, label, unattended: false, spent: [] }, tool);
    if (!flow.ok) return null;
    const release = flow.value;
    if (release === undefined) return { gates: raised, release, sent: id };
    const sent = labels.internLabel(applyRelease(release.release, label));
    return { gates: raiseGates(raised, release.release.gate), release, sent };
  }
}
