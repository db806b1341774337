import { mayFlow, type PermissionMode } from "../../../engine/lib/policy/index.ts";
import type { StateId } from "./frontier.ts";
import type { LabelId } from "./labels.ts";
import { type Gates, NO_GATE } from "./modes.ts";
import type { Budget, ReachableSet } from "./search.ts";
import type { Location, StateSpace } from "./state-space.ts";
import type { Transition } from "./transitions.ts";

/** A goal of the search: pairs of a state and a last step that must not be reachable. */
export interface Goal {
  /** For each row, whether the goal is about conversations in this row. */
  readonly rows: readonly boolean[];
  readonly calls: CallGoal | undefined;
  readonly backends: BackendGoal | undefined;
}

/** Calls that must not run. */
interface CallGoal {
  /** Indexes into the tables' tools, in their order. */
  readonly tools: readonly number[];
  readonly gates: Gates;
  /** Whether a call counts only if its arguments flow to the service. */
  readonly sending: boolean;
  /** Whether a call counts only if its arguments flow without a release. */
  readonly unreleased: boolean;
}

/** Tools, and the gates behind which they run. */
export type CallSet = Pick<CallGoal, "tools" | "gates">;

/** Answers that must not happen: answers of any backend in `backends` with any mode in `modes`. */
interface BackendGoal {
  /** Indexes into the tables' backends. */
  readonly backends: readonly number[];
  readonly modes: readonly PermissionMode[];
}

/** A reachable state that meets the goal, and its last step. */
export interface GoalState {
  readonly state: StateId;
  readonly last:
    | { readonly kind: "call"; readonly tool: number; readonly gates: Gates }
    | { readonly kind: "infer"; readonly backend: number };
}

/** Limits of a search for goal states; absent limits do not apply. */
interface GoalVisit {
  /** Bits of matchers; a state is visited only if all of them are set in it. */
  readonly seen?: number;
  /**
   * Maximum number of states that a search may visit. Each visit decreases the number, so several searches may share
   * one budget.
   */
  readonly budget?: Budget;
}

/**
 * Yields the reachable states that meet the goal, those with the fewest steps first. The function stops when the budget
 * is used up.
 */
export function* enumerateGoalStates(
  space: StateSpace,
  reachable: ReachableSet,
  goal: Goal,
  { seen = 0, budget = { left: Number.POSITIVE_INFINITY } }: GoalVisit = {},
): Generator<GoalState> {
  const kinds = indexToolKinds(space, goal.calls?.tools ?? []);
  const byLocation = space.locations.map((location) =>
    goal.rows[location.index] ? findTransitionsTo(location, kinds, goal) : undefined,
  );
  const { frontier } = reachable;
  for (const state of selectConversations(reachable, goal.rows)) {
    if (budget.left-- <= 0) return;
    const transitions = byLocation[frontier.place[state] ?? 0];
    if (transitions === undefined || ((frontier.seen[state] ?? 0) & seen) !== seen) continue;
    const label = frontier.label[state] ?? 0;
    for (const last of findLastCalls(reachable, goal, transitions, label)) yield { state, last };
    for (const last of findLastInferences(space, goal, transitions, label)) yield { state, last };
  }
}

/**
 * Returns states of conversations, those with the fewest steps first. If at most a quarter of the rows is marked in
 * `rows`, returns only the states in these rows. Otherwise returns all, and the caller skips those in unmarked rows.
 */
function selectConversations(
  { conversations, byRow, frontier }: ReachableSet,
  rows: readonly boolean[],
): readonly StateId[] {
  const selected = byRow.filter((_, row) => rows[row]);
  if (selected.length > byRow.length / 4) return conversations;
  return selected.flat().sort((one, other) => (frontier.steps[one] ?? 0) - (frontier.steps[other] ?? 0));
}

interface GoalTransitions {
  readonly location: Location;
  /** Transitions that lead to the goal, each with the first tool whose call leads to the goal. */
  readonly transitions: ReadonlyMap<Transition, number>;
}

/** Returns, for each kind of tool, the first tool of this kind among `tools`. */
function indexToolKinds({ kinds }: StateSpace, tools: readonly number[]): Map<number, number> {
  const first = new Map<number, number>();
  for (const tool of tools) {
    const kind = kinds.kindOf[tool] ?? -1;
    if (!first.has(kind)) first.set(kind, tool);
  }
  return first;
}

function findTransitionsTo(location: Location, kinds: ReadonlyMap<number, number>, { calls }: Goal): GoalTransitions {
  const transitions = new Map<Transition, number>();
  for (const [kind, tool] of kinds) {
    const transition = location.transitions[location.transitionOf[kind] ?? -1];
    if (transition !== undefined && !transitions.has(transition) && (transition.sends || calls?.sending !== true))
      transitions.set(transition, tool);
  }
  return { location, transitions };
}

function findLastCalls(
  { evaluator }: ReachableSet,
  { calls }: Goal,
  { location, transitions }: GoalTransitions,
  label: LabelId,
): GoalState["last"][] {
  const found: GoalState["last"][] = [];
  if (calls === undefined) return found;
  for (const [transition, tool] of transitions) {
    const enabled = evaluator.evaluateTransition(location, transition, label);
    if (enabled === null || (calls.unreleased && enabled.release !== undefined)) continue;
    const gates = enabled.gates & calls.gates;
    if (gates !== NO_GATE) found.push({ kind: "call", tool, gates });
  }
  return found;
}

function findLastInferences(
  space: StateSpace,
  { backends }: Goal,
  { location }: GoalTransitions,
  label: LabelId,
): GoalState["last"][] {
  if (backends === undefined || backends.backends.length === 0) return [];
  return findAnsweringBackends(space, location, label).flatMap(({ backend, mode }): GoalState["last"][] =>
    backends.backends.includes(backend) && backends.modes.includes(mode) ? [{ kind: "infer", backend }] : [],
  );
}

/**
 * Returns the backends that may answer: those with a sufficient clearance, up to the first one without a gate. The
 * backends after it never answer. A backend behind a gate answers only while its lease is valid, but this function
 * ignores leases.
 */
export function findAnsweringBackends(
  space: StateSpace,
  { row }: Location,
  id: LabelId,
): { backend: number; mode: PermissionMode }[] {
  const label = space.labels.expandLabel(id);
  const cleared = row.backends.filter(({ backend, mode }) => {
    const clearance = space.tables.backends[backend]?.clearance;
    return mode !== "forbidden" && clearance !== undefined && mayFlow(label, clearance);
  });
  const always = cleared.findIndex(({ mode }) => mode === "auto");
  return always === -1 ? cleared : cleared.slice(0, always + 1);
}
