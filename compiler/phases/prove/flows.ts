// Computes information flows, which do not depend on assertions. For each row and sink, a flow states the highest
// confidentiality, the lowest integrity and the compartments of the data that conversations of the row send to the
// sink, through any gate or release.

import type { IndexedTables } from "../../../engine/lib/policy/index.ts";
import type { Result } from "../../../engine/lib/result/result.ts";
import { refuse } from "../../../engine/lib/result/result.ts";
import type { Model } from "../bind/index.ts";
import { findAnsweringBackends } from "./goal.ts";
import { collectExchanges } from "./kinds.ts";
import type { LabelId } from "./labels.ts";
import { ANY_GATE, GATES } from "./modes.ts";
import { findIndexes, findSharingServices, type HistoryQuery, NO_HISTORY, type Question } from "./obligations.ts";
import type { Witness } from "./proof.ts";
import { explainExceededLimit } from "./render-verdict.ts";
import type { ReachableSet } from "./search.ts";
import { Searches } from "./searches.ts";
import { collectSources, createSourceSummarizer, type Source, type SourceSummary } from "./sources.ts";
import { buildStateSpace, type Location, type StateSpace } from "./state-space.ts";
import { decideQuestions } from "./verdict.ts";

/** The sink of a flow: a backend, or a service together with the services that share data with it. */
export interface Sink {
  readonly kind: "service" | "backend";
  readonly name: string;
}

/** The flow from the conversations of one row into a sink. */
export interface Inflow {
  /** The row, as an index into the tables' rows. */
  readonly row: number;
  readonly sink: Sink;
  /** Summary of the sources whose data flows; equal summaries are the same object. */
  readonly summary: SourceSummary;
}

/** All flows of a page to services and backends. */
export interface Flows {
  readonly tables: IndexedTables;
  /** Flows in the order of rows; services in the order of the page, then backends. */
  readonly inflows: readonly Inflow[];
  /** The sources of data that the flows distinguish. */
  readonly sources: readonly Source[];
  /** Reason for which flows may be missing; `undefined` if the list is complete. */
  readonly incompleteReason: string | undefined;
  /**
   * Returns a shortest witness of the flow from the source, through a conversation in the row, into the sink. Fails
   * with a reason if the search finds no such witness.
   */
  readonly findWitness: (row: number, sink: Sink, source: Source) => Result<Witness>;
}

/** Returns the flows of a page without errors; they do not depend on its assertions. */
export function computeFlows(tables: IndexedTables, model: Model): Flows {
  const space = buildStateSpace(tables, model, []);
  const sources = collectSources(tables, model);
  const searches = new Searches(space, sources.map(getHistory));
  const byRow = computeSourcesByRow(space, searches, sources);
  const exchanges = collectExchanges(tables, model);
  const findSharing = (name: string) =>
    exchanges.has(name) ? findSharingServices(tables, model, new Set([name])) : new Set([name]);
  const stores = indexStoresByService(space);
  const services = model.services.map(({ name }) => {
    return {
      sink: { kind: "service", name } as const,
      stores: [...findSharing(name)].flatMap((one) => stores.get(one) ?? []),
    };
  });
  const summarize = createSourceSummarizer(tables, sources);
  return {
    tables,
    sources,
    inflows: byRow.flatMap((row) => collectInflows(tables, services, summarize, row)),
    incompleteReason: explainIncompleteness(searches, sources),
    findWitness: (row, sink, source) => {
      const { verdict } = decideQuestions(searches, [createQuestion(tables, findSharing, { row, sink, source })]);
      if (verdict.kind === "refuted") return { ok: true, value: verdict.witness };
      return refuse(verdict.kind === "undetermined" ? verdict.reason : "no conversation shows it");
    },
  };
}

function getHistory({ matcher }: Source): HistoryQuery {
  return matcher === undefined ? NO_HISTORY : { matchers: [matcher], withoutReleases: false };
}

/** The flows out of one row: for each sink a set of sources, bit i for source i. */
interface RowOutflow {
  readonly location: Location;
  /** For each store (the data of a service), the sources whose data reaches it, as bits. */
  readonly stores: bigint[];
  /** For each backend, the sources whose data reaches it, as bits. */
  readonly backends: bigint[];
}

function computeSourcesByRow(space: StateSpace, searches: Searches, sources: readonly Source[]): readonly RowOutflow[] {
  const byRow = space.locations.map((location): RowOutflow => ({ location, stores: [], backends: [] }));
  const bySearch = Map.groupBy(sources.keys(), (index) => searches.exploreFor(getHistoryAt(sources, index)));
  for (const [reachable, indexes] of bySearch) {
    const bits = indexes.map(
      (index) => [searches.selectBits(reachable, getHistoryAt(sources, index)), 1n << BigInt(index)] as const,
    );
    for (const [row, seen] of groupSeenByLabel(space, reachable).entries()) {
      const outflow = byRow[row];
      if (outflow === undefined) continue;
      for (const [label, matcherSets] of seen) {
        const set = [...matcherSets].reduce((all, matcherSet) => all | selectSources(bits, matcherSet), 0n);
        addOutflow(space, reachable, outflow, { label, set });
      }
    }
  }
  return byRow;
}

function getHistoryAt(sources: readonly Source[], index: number): HistoryQuery {
  const source = sources[index];
  return source === undefined ? NO_HISTORY : getHistory(source);
}

/** Returns, for each row and label, the sets of matchers that conversations with this label have met. */
function groupSeenByLabel(
  space: StateSpace,
  { frontier, conversations }: ReachableSet,
): readonly Map<LabelId, Set<number>>[] {
  const byRow = space.locations.map(() => new Map<LabelId, Set<number>>());
  for (const state of conversations) {
    const labels = byRow[frontier.place[state] ?? 0];
    const label = frontier.label[state] ?? 0;
    const matcherSets = labels?.get(label) ?? new Set();
    labels?.set(label, matcherSets.add(frontier.seen[state] ?? 0));
  }
  return byRow;
}

/** Returns the sources whose matchers have all been met. */
function selectSources(bits: readonly (readonly [number, bigint])[], seen: number): bigint {
  return bits.reduce((all, [bit, source]) => ((seen & bit) === bit ? all | source : all), 0n);
}

/** The sources from which conversations with one label have read data. */
interface SeenSources {
  readonly label: LabelId;
  /** Bit i is set if the conversations have read data of source i. */
  readonly set: bigint;
}

/** Adds the sources to every sink to which conversations of the row with this label may send. */
function addOutflow(
  space: StateSpace,
  { evaluator }: ReachableSet,
  { location, stores, backends }: RowOutflow,
  { label, set }: SeenSources,
): void {
  for (const transition of location.transitions) {
    if (!transition.sends || evaluator.evaluateTransition(location, transition, label) === null) continue;
    for (const { edges } of transition.writes)
      for (const { store } of edges) stores[store] = (stores[store] ?? 0n) | set;
  }
  for (const { backend } of findAnsweringBackends(space, location, label))
    backends[backend] = (backends[backend] ?? 0n) | set;
}

/** Numbers the services that have tools; other services receive data only through grants. */
function indexStoresByService({ tables, kinds }: StateSpace): ReadonlyMap<string, number> {
  return new Map(
    tables.tools.map(({ provider }, tool) => [provider, kinds.kinds[kinds.kindOf[tool] ?? -1]?.store ?? -1]),
  );
}

interface ServiceSink {
  readonly sink: Sink;
  readonly stores: readonly number[];
}

function collectInflows(
  { backends }: IndexedTables,
  services: readonly ServiceSink[],
  summarize: (set: bigint) => SourceSummary,
  outflow: RowOutflow,
): readonly Inflow[] {
  const row = outflow.location.index;
  const createInflow = (sink: Sink, set: bigint): Inflow[] =>
    set === 0n ? [] : [{ row, sink, summary: summarize(set) }];
  return [
    ...services.flatMap(({ sink, stores }) =>
      createInflow(
        sink,
        stores.reduce((all, store) => all | (outflow.stores[store] ?? 0n), 0n),
      ),
    ),
    ...backends.flatMap(({ name }, index) => createInflow({ kind: "backend", name }, outflow.backends[index] ?? 0n)),
  ];
}

function explainIncompleteness(searches: Searches, sources: readonly Source[]): string | undefined {
  for (const source of sources) {
    const reachable = searches.exploreFor(getHistory(source));
    if (reachable.exceededLimit !== undefined)
      return explainExceededLimit(searches.space, reachable, reachable.exceededLimit);
  }
  return undefined;
}

/** A flow for which a witness is wanted. */
interface WantedFlow {
  /** The row, as an index into the tables' rows. */
  readonly row: number;
  readonly sink: Sink;
  readonly source: Source;
}

/** Returns the question whether a conversation in the row can send data of the source to the sink. */
function createQuestion(
  { rows, tools, backends }: IndexedTables,
  findSharing: (name: string) => ReadonlySet<string>,
  { row, sink: { kind, name }, source }: WantedFlow,
): Question {
  const of = { rows: rows.map((_, index) => index === row), calls: undefined, backends: undefined };
  const holding = findSharing(name);
  const outflow = { gates: ANY_GATE, sending: true, unreleased: false };
  const goal =
    kind === "service"
      ? { ...of, calls: { ...outflow, tools: findIndexes(tools, ({ provider }) => holding.has(provider)) } }
      : { ...of, backends: { backends: findIndexes(backends, (one) => one.name === name), modes: GATES } };
  return {
    kind: "reach",
    history: getHistory(source),
    goal,
    renderRefutation: ({ action, route }) => `${action} ${route}`,
  };
}
