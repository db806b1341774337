import { applyRelease, checkFlow, isMet, type Releasing } from "../../../engine/lib/policy/index.ts";
import type { LabelId } from "./labels.ts";
import { type Gates, NO_GATE, raiseGates } from "./modes.ts";
import type { Location, StateSpace } from "./state-space.ts";
import type { Transition } from "./transitions.ts";

/** A transition that is enabled for some label. */
export interface EnabledTransition {
  /** Gates that valid arguments can lead to; never empty. */
  readonly gates: Gates;
  /** Release that permits the flow of the arguments; `undefined` if their label permits it. */
  readonly release: Releasing | undefined;
  /** Label of the arguments at the sink, after a release. */
  readonly sent: LabelId;
}

/** Treatment of arguments that the search neither found nor ruled out: `certain` omits them, `possible` assumes them. */
export type Approximation = "certain" | "possible";

/** Evaluates guards with the gate's own functions, in the gate's order. Each pair of guard and label is evaluated once. */
export class TransitionEvaluator {
  readonly #space: StateSpace;
  readonly #approximation: Approximation;
  /** Results by guard, then by label; null if the transition is not enabled. */
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
    // A read on this machine sends nothing, so it needs no check of the label. Half of all cases are such reads.
    if (!sends) return { gates: raised, release: undefined, sent: id };
    const flow = checkFlow(tables, row, { row: index, label, unattended: false, spent: [] }, tool);
    if (!flow.ok) return null;
    const release = flow.value;
    if (release === undefined) return { gates: raised, release, sent: id };
    const sent = labels.internLabel(applyRelease(release.release, label));
    return { gates: raiseGates(raised, release.release.gate), release, sent };
  }
}
