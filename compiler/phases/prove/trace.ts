import type { Label } from "../../../engine/lib/policy/index.ts";
import { bug } from "../../../lang/diagnostics/index.ts";
import type { Derivation, StateId } from "./frontier.ts";
import type { GoalState } from "./goal.ts";
import { computeStatedLabel } from "./labels.ts";
import { ANY_GATE, type Gates } from "./modes.ts";
import type { ReachableSet } from "./search.ts";
import type { StateSpace } from "./state-space.ts";

// Builds witness traces. This module follows the derivations of a reached state back to the beginnings of conversations.

/** One conversation of a trace. */
export interface TraceConversation {
  /** Row in which the conversation begins. */
  readonly row: number;
  readonly steps: readonly TraceStep[];
}

/** A step to replay; rows, tools, ingresses and backends are indexes into the tables. */
export type TraceStep =
  | TraceCall
  | { readonly kind: "phase"; readonly row: number }
  | { readonly kind: "ingress"; readonly ingress: number }
  | TraceWorker
  | { readonly kind: "infer"; readonly backend: number };

/** A call and its result. */
export interface TraceCall {
  readonly kind: "call";
  readonly tool: number;
  /** The call must run behind one of these gates; otherwise the replay fails. */
  readonly gates: Gates;
  /**
   * The label that the provider states for the result and, if known, the label of the conversation after the result;
   * `undefined` if the trace ends without a result.
   */
  readonly back: { readonly stated: Label; readonly label: Label | undefined } | undefined;
  /** Number of consecutive calls; absent means once. */
  readonly times?: number;
}

/** The steps of a worker in a trace. */
export interface TraceWorker {
  readonly kind: "worker";
  readonly row: number;
  readonly steps: readonly TraceStep[];
  /**
   * Label of the conversation that started the worker, after the worker has ended; `undefined` if the worker has not
   * ended.
   */
  readonly label: Label | undefined;
}

/**
 * Returns the conversations that lead to a goal state; a conversation that writes data comes before one that reads it.
 */
export function buildTrace(
  space: StateSpace,
  reachable: ReachableSet,
  { state, last }: GoalState,
): TraceConversation[] {
  const step: TraceStep = last.kind === "call" ? { ...last, back: undefined } : last;
  return buildTraceWith(space, reachable, state, [step]);
}

/** Returns the conversations that lead to a state, followed by the given steps. */
export function buildTraceWith(
  space: StateSpace,
  reachable: ReachableSet,
  state: StateId,
  steps: readonly TraceStep[],
): TraceConversation[] {
  const builder = new TraceBuilder(space, reachable);
  const trace = builder.traceTo(state);
  return [...builder.writers.values(), closeTrace(steps.reduce(appendStep, trace))];
}

/** A conversation to which steps are added. While a worker runs, `openWorker` has the steps of the worker. */
interface PartialTrace extends TraceConversation {
  readonly openWorker: TraceConversation | undefined;
}

function appendStep(trace: PartialTrace, step: TraceStep): PartialTrace {
  const { openWorker } = trace;
  if (openWorker === undefined) return { ...trace, steps: [...trace.steps, step] };
  return { ...trace, openWorker: { ...openWorker, steps: [...openWorker.steps, step] } };
}

function closeTrace({ row, steps, openWorker }: PartialTrace): TraceConversation {
  return openWorker === undefined
    ? { row, steps }
    : { row, steps: [...steps, { kind: "worker", ...openWorker, label: undefined }] };
}

class TraceBuilder {
  /**
   * Conversations that wrote data into stores, in the order in which they take place. The key is the state of the data.
   */
  readonly writers = new Map<StateId, TraceConversation>();
  readonly #space: StateSpace;
  readonly #reachable: ReachableSet;

  constructor(space: StateSpace, reachable: ReachableSet) {
    this.#space = space;
    this.#reachable = reachable;
  }

  traceTo(state: StateId): PartialTrace {
    const derivation = this.#getDerivation(state);
    const row = this.#reachable.frontier.place[state] ?? 0;
    switch (derivation.kind) {
      case "begin":
        return { row, steps: [], openWorker: undefined };
      case "phase":
        return appendStep(this.traceTo(derivation.from), { kind: "phase", row });
      case "ingress":
        return appendStep(this.traceTo(derivation.from), derivation);
      case "call":
        return this.#traceCall(state, derivation);
      case "started":
        return { ...this.traceTo(derivation.from), openWorker: { row, steps: [] } };
      case "ended":
        return this.#traceWorkerEnd(this.traceTo(derivation.worker), derivation.worker, state);
      case "joined":
        return this.#traceWorkerEnd(this.traceTo(derivation.from), derivation.worker, state);
      case "wrote":
      case "granted":
        return bug("what a store holds is no conversation");
    }
  }

  #getDerivation(state: StateId): Derivation {
    return this.#reachable.frontier.derivation[state] ?? bug("something was reached by nothing");
  }

  #traceCall(state: StateId, { from, tool, entry }: Extract<Derivation, { kind: "call" }>): PartialTrace {
    if (entry !== undefined) this.#traceWriter(entry);
    const { labels, tables } = this.#space;
    const { label } = this.#reachable.frontier;
    const result = tables.tools[tool]?.result ?? bug("a tool that is none");
    const now = labels.expandLabel(label[state] ?? 0);
    const entryLabel = entry === undefined ? undefined : labels.join(labels.internLabel(result.low), label[entry] ?? 0);
    const stated =
      entryLabel === undefined
        ? computeStatedLabel(labels.expandLabel(label[from] ?? 0), result, now)
        : labels.expandLabel(entryLabel);
    return appendStep(this.traceTo(from), { kind: "call", tool, gates: ANY_GATE, back: { stated, label: now } });
  }

  #traceWriter(entry: StateId): void {
    const derivation = this.#getDerivation(entry);
    if (derivation.kind === "granted") this.#traceWriter(derivation.from);
    if (derivation.kind !== "wrote" || this.writers.has(entry)) return;
    const step: TraceStep = { kind: "call", tool: derivation.tool, gates: ANY_GATE, back: undefined };
    this.writers.set(entry, closeTrace(appendStep(this.traceTo(derivation.from), step)));
  }

  /** Appends to a trace the steps of a worker, which are taken from the worker's own trace. */
  #traceWorkerEnd(trace: PartialTrace, worker: StateId, state: StateId): PartialTrace {
    const { openWorker } = this.traceTo(worker);
    if (openWorker === undefined) return bug("a worker that nobody started");
    const label = this.#space.labels.expandLabel(this.#reachable.frontier.label[state] ?? 0);
    return { row: trace.row, steps: [...trace.steps, { kind: "worker", ...openWorker, label }], openWorker: undefined };
  }
}
