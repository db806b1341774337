import type { Label } from "../../../engine/lib/policy/index.ts";
import { bug } from "../../../lang/diagnostics/index.ts";
import type { Derivation, ItemId } from "./frontier.ts";
import type { Reached } from "./goal.ts";
import { computeStatedLabel } from "./labels.ts";
import { ANY_GATE, type Gates } from "./modes.ts";
import type { Explored } from "./search.ts";
import type { Terrain } from "./terrain.ts";

// From what was reached back to how: the conversations that end in it, each from its beginning.

/** One conversation, and what happens in it. */
export interface Scene {
  /** Where it begins. */
  readonly row: number;
  readonly acts: readonly Act[];
}

/** What is to be played; rows, tools, ingresses and backends are indexes into the tables. */
export type Act =
  | CallAct
  | { readonly kind: "phase"; readonly row: number }
  | { readonly kind: "ingress"; readonly ingress: number }
  | WorkerAct
  | { readonly kind: "infer"; readonly backend: number };

/** A call, and what comes back of it. */
export interface CallAct {
  readonly kind: "call";
  readonly tool: number;
  /** It has to run behind one of these. */
  readonly gates: Gates;
  /** What the provider states, and where it is known what the conversation is labelled then; absent where nothing comes back. */
  readonly back: { readonly stated: Label; readonly label: Label | undefined } | undefined;
  /** One after the other; absent: once. */
  readonly times?: number;
}

/** All that a worker does. */
export interface WorkerAct {
  readonly kind: "worker";
  readonly row: number;
  readonly acts: readonly Act[];
  /** What the conversation that started it is labelled once it has ended; absent where it has not. */
  readonly label: Label | undefined;
}

/** The conversations that lead to what was reached, those first which wrote what later ones read. */
export function buildTrace(terrain: Terrain, explored: Explored, { item, last }: Reached): Scene[] {
  const act: Act = last.kind === "call" ? { ...last, back: undefined } : last;
  return buildTraceWith(terrain, explored, item, [act]);
}

/** The same, with acts of one's own at its end. */
export function buildTraceWith(terrain: Terrain, explored: Explored, item: ItemId, acts: readonly Act[]): Scene[] {
  const told = new Telling(terrain, explored);
  const line = told.traceTo(item);
  return [...told.writers.values(), buildScene(acts.reduce(appendAct, line))];
}

/** A conversation as it comes about; `inside`: what its worker has done, while one runs. */
interface Line extends Scene {
  readonly inside: Scene | undefined;
}

function appendAct(line: Line, act: Act): Line {
  const { inside } = line;
  if (inside === undefined) return { ...line, acts: [...line.acts, act] };
  return { ...line, inside: { ...inside, acts: [...inside.acts, act] } };
}

function buildScene({ row, acts, inside }: Line): Scene {
  return inside === undefined
    ? { row, acts }
    : { row, acts: [...acts, { kind: "worker", ...inside, label: undefined }] };
}

class Telling {
  /** By what they wrote, in the order in which they have to be held. */
  readonly writers = new Map<ItemId, Scene>();
  readonly #terrain: Terrain;
  readonly #explored: Explored;

  constructor(terrain: Terrain, explored: Explored) {
    this.#terrain = terrain;
    this.#explored = explored;
  }

  traceTo(item: ItemId): Line {
    const how = this.#getDerivation(item);
    const row = this.#explored.frontier.place[item] ?? 0;
    switch (how.kind) {
      case "begin":
        return { row, acts: [], inside: undefined };
      case "phase":
        return appendAct(this.traceTo(how.from), { kind: "phase", row });
      case "ingress":
        return appendAct(this.traceTo(how.from), how);
      case "call":
        return this.#traceCall(item, how);
      case "started":
        return { ...this.traceTo(how.from), inside: { row, acts: [] } };
      case "ended":
        return this.#traceWorkerEnd(this.traceTo(how.worker), how.worker, item);
      case "joined":
        return this.#traceWorkerEnd(this.traceTo(how.from), how.worker, item);
      case "wrote":
      case "granted":
        return bug("what a store holds is no conversation");
    }
  }

  #getDerivation(item: ItemId): Derivation {
    return this.#explored.frontier.how[item] ?? bug("something was reached by nothing");
  }

  #traceCall(item: ItemId, { from, tool, entry }: Extract<Derivation, { kind: "call" }>): Line {
    if (entry !== undefined) this.#tellWriter(entry);
    const { labels, tables } = this.#terrain;
    const { label } = this.#explored.frontier;
    const result = tables.tools[tool]?.result ?? bug("a tool that is none");
    const now = labels.expandLabel(label[item] ?? 0);
    const held = entry === undefined ? undefined : labels.join(labels.internLabel(result.low), label[entry] ?? 0);
    const stated =
      held === undefined
        ? computeStatedLabel(labels.expandLabel(label[from] ?? 0), result, now)
        : labels.expandLabel(held);
    return appendAct(this.traceTo(from), { kind: "call", tool, gates: ANY_GATE, back: { stated, label: now } });
  }

  #tellWriter(entry: ItemId): void {
    const how = this.#getDerivation(entry);
    if (how.kind === "granted") this.#tellWriter(how.from);
    if (how.kind !== "wrote" || this.writers.has(entry)) return;
    const act: Act = { kind: "call", tool: how.tool, gates: ANY_GATE, back: undefined };
    this.writers.set(entry, buildScene(appendAct(this.traceTo(how.from), act)));
  }

  /** The worker's part of its own line, at the end of another. */
  #traceWorkerEnd(line: Line, worker: ItemId, item: ItemId): Line {
    const { inside } = this.traceTo(worker);
    if (inside === undefined) return bug("a worker that nobody started");
    const label = this.#terrain.labels.expandLabel(this.#explored.frontier.label[item] ?? 0);
    return { row: line.row, acts: [...line.acts, { kind: "worker", ...inside, label }], inside: undefined };
  }
}
