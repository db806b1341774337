import type { BoundQuota } from "../bind/index.ts";
import type { GoalState } from "./goal.ts";
import type { QuotaSharing } from "./replay-call.ts";
import type { ReachableSet } from "./search.ts";
import type { StateSpace } from "./state-space.ts";
import { buildTraceWith, type TraceConversation, type TraceStep } from "./trace.ts";

// Builds counterexamples of a limit: traces with one call more than the limit allows.

/** Maximum number of conversations in a trace: a counterexample with more conversations is not useful. */
const MOST_CONVERSATIONS = 100;

/** Conversations that together exceed a limit, and which of their steps belong to one turn or one login. */
interface ExceedingTrace {
  readonly conversations: readonly TraceConversation[];
  readonly sharing: QuotaSharing;
}

/**
 * For each goal state, yields a trace that repeats the last call in one conversation until the limit is exceeded. If
 * the scope of the limit spans several conversations, also yields a trace with one conversation for each call. The
 * second trace is left out if it would need more than `MOST_CONVERSATIONS`.
 */
export function* generateExceedingTraces(
  space: StateSpace,
  reachable: ReachableSet,
  goalStates: Iterable<GoalState>,
  { amount, scope }: BoundQuota,
): Generator<ExceedingTrace> {
  const times = Number(amount) + 1;
  const sharing: QuotaSharing = {
    sameTurn: scope === "call" || scope === "turn",
    sameLogin: scope === "login",
  };
  for (const { state, last } of goalStates) {
    if (last.kind !== "call") continue;
    const { result } = space.tables.tools[last.tool] ?? {};
    if (result === undefined) continue;
    const call: TraceStep = { ...last, back: { stated: result.low, label: undefined }, times };
    yield { conversations: buildTraceWith(space, reachable, state, [call]), sharing };
    if (times > MOST_CONVERSATIONS || sharing.sameTurn || scope === "conversation" || scope === "task") continue;
    const once = buildTraceWith(space, reachable, state, [{ ...last, back: undefined }]);
    yield { conversations: Array.from({ length: times }, () => once).flat(), sharing };
  }
}
