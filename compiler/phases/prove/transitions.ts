import type { LabelRange, PolicyTables, Row } from "../../../engine/lib/wire/generated/policy.ts";
import { type DecisionAbstraction, type DecisionAbstractions, NEVER_RUNS } from "./abstractions.ts";
import { getAbstractionOfCell, type Kinds } from "./kinds.ts";
import type { LabelId, Labels } from "./labels.ts";
import { createNumbering } from "./numbering.ts";

/**
 * A transition of one row. A transition stands for all tools that run in the row under the same guard: with the same
 * check of flows, the same releases, and the same possible gates.
 */
export interface Transition {
  /** Number of the guard; transitions with the same guard have the same number, in whatever row they are. */
  readonly guardId: number;
  /** One of the tools that the transition stands for, as an index into the tables' tools. */
  readonly tool: number;
  readonly abstraction: DecisionAbstraction;
  /** Whether the arguments of the tools flow to their services. */
  readonly sends: boolean;
  /** Edges for the results of calls, one for each label range of results. */
  readonly outcomes: readonly Edge[];
  /** Groups of stores (the data of services) to which calls write, one for each label range of stores. */
  readonly writes: readonly StoreGroup[];
  /** Edges for reads of stored data, by store; a store has one edge for each label range of results. */
  readonly reads: ReadonlyMap<number, readonly Edge[]>;
}

/** Stores that give the same label to data that is written into them. */
export interface StoreGroup {
  readonly low: LabelId;
  readonly high: LabelId;
  /** Whether a grant connects one of the stores with another store, which may give the data another label. */
  readonly exchanging: boolean;
  readonly edges: readonly Edge[];
}

/**
 * Calls of a transition whose results have the same label range. `tool` represents the called tools, and `store` is the
 * index of the data of its service.
 */
export interface Edge {
  readonly tool: number;
  readonly store: number;
  readonly result: LabelRange;
  /** Number of the label range; equal ranges have the same number. */
  readonly range: number;
}

/** A store: the data of one service, which represents all equal services, with the range of labels of this data. */
export interface Store {
  readonly service: string;
  readonly low: LabelId;
  readonly high: LabelId;
  /** Stores with which a grant connects this store. */
  readonly exchanges: readonly number[];
}

/** The inputs from which transitions are built. */
interface TransitionInputs {
  readonly tables: PolicyTables;
  readonly labels: Labels;
  readonly kinds: Kinds;
  readonly abstractions: DecisionAbstractions;
  readonly stores: readonly Store[];
}

/** The transitions of one row. */
export interface Transitions {
  readonly transitions: readonly Transition[];
  /** For each kind of tool, the index of its transition in `transitions`, or -1 if such tools never run in the row. */
  readonly transitionOf: readonly number[];
}

/** Returns a function that builds the transitions of a row. */
export function createTransitionBuilder(building: TransitionInputs): (row: Row) => Transitions {
  const { tables, kinds, abstractions } = building;
  const edgesOfKinds = kinds.kinds.map(createEdgeBuilder(building));
  const guardIds = createNumbering<string>();
  return (row) => {
    const released = row.releases.filter((release) => tables.releases[release] !== undefined).join();
    const built = [...groupKindsByTransition(building, edgesOfKinds, row)].flatMap(([key, members]) => {
      const abstraction = abstractions.getAbstraction(key % abstractions.size);
      if (abstraction === undefined) return [];
      const edges = members.flatMap((kind) => edgesOfKinds[kind] ?? []);
      return [{ members, transition: buildTransition(building, edges, guardIds(`${key} ${released}`), abstraction) }];
    });
    // Sort transitions by gates, so that the trace with the loosest gates is found first if several traces have equal
    // length.
    built.sort((one, other) => computeLoosestGate(one.transition) - computeLoosestGate(other.transition));
    const transitionAt = new Map(built.flatMap(({ members }, place) => members.map((kind) => [kind, place] as const)));
    return {
      transitions: built.map(({ transition }) => transition),
      transitionOf: kinds.kinds.map((_, kind) => transitionAt.get(kind) ?? -1),
    };
  };
}

/**
 * Groups the kinds of tools that share a transition in a row. The flows of such tools are checked in the same way
 * (`flowKey`), and their decision lists can give the same modes.
 */
function groupKindsByTransition(
  building: TransitionInputs,
  edges: readonly (KindEdge | undefined)[],
  row: Row,
): Map<number, number[]> {
  const { kinds, abstractions } = building;
  const byTransition = new Map<number, number[]>();
  for (const [kind, { tool }] of kinds.kinds.entries()) {
    const edge = edges[kind];
    const abstraction = getAbstractionOfCell(abstractions, row.cells, tool);
    if (edge === undefined || abstraction === NEVER_RUNS || isResultAboveClearance(building, row, tool)) continue;
    // `classifyTools` has already given a number to the abstraction of each cell. So no number is added here, and
    // `abstractions.size` stays the same.
    const key = edge.flowKey * abstractions.size + abstraction;
    const before = byTransition.get(key);
    if (before === undefined) byTransition.set(key, [kind]);
    else before.push(kind);
  }
  return byTransition;
}

interface KindEdge extends Edge {
  /** Number of the flow check; edges whose flows are checked in the same way have the same number. */
  readonly flowKey: number;
  readonly sends: boolean;
}

function createEdgeBuilder({
  tables,
  labels,
}: TransitionInputs): (kind: Kinds["kinds"][number]) => KindEdge | undefined {
  const ranges = createNumbering<string>();
  const flowKeys = createNumbering<string>();
  return ({ tool: index, store }) => {
    const tool = tables.tools[index];
    if (tool === undefined) return undefined;
    const { result, networked, readOnly, sink } = tool;
    const sends = networked || !readOnly;
    const released = tables.releases.map(({ tools }) => (tools.includes(index) ? 1 : 0)).join("");
    const flowKey = flowKeys(sends ? `${labels.internLabel(sink)} ${released}` : "");
    const range = ranges(`${labels.internLabel(result.low)} ${labels.internLabel(result.high)}`);
    return { tool: index, store, result, range, flowKey, sends };
  };
}

/**
 * Returns whether the gate refuses the call before it has an effect, because its result may be above the session's
 * clearance.
 */
function isResultAboveClearance({ tables, labels }: TransitionInputs, { clearance }: Row, index: number): boolean {
  const tool = tables.tools[index];
  return (
    tool === undefined ||
    (!tool.readOnly && !labels.mayFlow(labels.internLabel(tool.result.high), labels.internLabel(clearance)))
  );
}

function buildTransition(
  { stores }: TransitionInputs,
  edges: readonly KindEdge[],
  guardId: number,
  abstraction: DecisionAbstraction,
): Transition {
  const [first] = edges;
  const sends = first?.sends === true;
  const outcomes = keepDistinctEdges(edges, ({ range }) => range);
  const writes = sends
    ? groupStores(
        stores,
        keepDistinctEdges(edges, ({ store }) => store),
      )
    : [];
  const byStore = Map.groupBy(edges, ({ store }) => store);
  const reads = new Map(
    [...byStore].map(([store, edgesInto]) => [store, keepDistinctEdges(edgesInto, ({ range }) => range)]),
  );
  return { guardId, tool: first?.tool ?? 0, abstraction, sends, outcomes, writes, reads };
}

function groupStores(stores: readonly Store[], edges: readonly Edge[]): StoreGroup[] {
  const byRange = Map.groupBy(edges, ({ store }) => {
    const { low, high, exchanges = [] } = stores[store] ?? {};
    return `${low} ${high} ${exchanges.length > 0}`;
  });
  return [...byRange.values()].flatMap((alike): StoreGroup[] => {
    const store = stores[alike[0]?.store ?? -1];
    return store ? [{ low: store.low, high: store.high, exchanging: store.exchanges.length > 0, edges: alike }] : [];
  });
}

function keepDistinctEdges(edges: readonly Edge[], keyOf: (edge: Edge) => number): Edge[] {
  const found = new Map<number, Edge>();
  for (const edge of edges) if (!found.has(keyOf(edge))) found.set(keyOf(edge), edge);
  return [...found.values()];
}

/** Returns a number for the loosest possible gate of a transition. A looser gate has a lower number. */
function computeLoosestGate({ abstraction: { possible } }: Transition): number {
  return possible & -possible;
}
