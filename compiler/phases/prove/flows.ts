// What reaches whom, whatever is asserted: for each row and each service or backend the most secret, the least trusted and the
// compartments that some conversation there tells it, behind whatever gate and release. It compares nothing.

import type { Checked, IndexedTables } from "../../../engine/lib/policy/index.ts";
import { refuse } from "../../../engine/lib/policy/index.ts";
import type { Model } from "../bind/index.ts";
import { findIndexes, findSharingServices, NOTHING, type Question, type Watch } from "./asked.ts";
import { findAnsweringBackends } from "./goal.ts";
import { collectExchanges } from "./kinds.ts";
import type { LabelId } from "./labels.ts";
import { ANY_GATE, GATES } from "./modes.ts";
import type { Witness } from "./proof.ts";
import type { Explored } from "./search.ts";
import { Searches } from "./searches.ts";
import { collectSources, createSourceSummarizer, type Source, type Told } from "./sources.ts";
import { buildStateSpace, type Ground, type Terrain } from "./terrain.ts";
import { judgeQuestions } from "./verdict.ts";
import { explainGivenUp } from "./words.ts";

/** Who is told something: a service, also by who shares with it what it holds; or a backend. */
export interface Sink {
  readonly kind: "service" | "backend";
  readonly name: string;
}

/** What conversations of one row tell a sink. Where nobody tells it anything there is none. */
export interface Inflow {
  /** Index into the tables' rows. */
  readonly row: number;
  readonly sink: Sink;
  /** The same object for all that are told the same. */
  readonly told: Told;
}

/** All that conversations of a page tell services and backends. */
export interface Flows {
  readonly tables: IndexedTables;
  /** In the order of rows; services in the order of the page, then backends. */
  readonly inflows: readonly Inflow[];
  /** All that flows are told apart by. */
  readonly sources: readonly Source[];
  /** Why some may be missing; nothing where none is. */
  readonly unseen: string | undefined;
  /** The shortest conversations in which a row tells the sink what is of one of these sources; or why none can be shown. */
  readonly shown: (row: number, sink: Sink, source: Source) => Checked<Witness>;
}

/** Of a page without errors; its assertions have no part in it. */
export function computeFlows(tables: IndexedTables, model: Model): Flows {
  const terrain = buildStateSpace(tables, model, []);
  const sources = collectSources(tables, model);
  const searches = new Searches(terrain, sources.map(watchOf));
  const byRow = computeSourcesByRow(terrain, searches, sources);
  const exchanges = collectExchanges(tables, model);
  const findSharing = (name: string) =>
    exchanges.has(name) ? findSharingServices(tables, model, new Set([name])) : new Set([name]);
  const stores = indexStoresByService(terrain);
  const services = model.services.map(({ name }) => {
    return {
      sink: { kind: "service", name } as const,
      stores: [...findSharing(name)].flatMap((one) => stores.get(one) ?? []),
    };
  });
  const remembered = createSourceSummarizer(tables, sources);
  return {
    tables,
    sources,
    inflows: byRow.flatMap((row, index) => collectInflows(tables, services, remembered, row, index)),
    unseen: explainIncompleteness(searches, sources),
    shown: (row, sink, source) => {
      const { verdict } = judgeQuestions(searches, [createQuestion(tables, findSharing, row, sink, source)]);
      if (verdict.kind === "refuted") return { ok: true, value: verdict.witness };
      return refuse(verdict.kind === "undetermined" ? verdict.reason : "no conversation shows it");
    },
  };
}

function watchOf({ matcher }: Source): Watch {
  return matcher === undefined ? NOTHING : { matchers: [matcher], withoutReleases: false };
}

/** Of one row: what its conversations tell, as a set of sources; bit i for source i. */
interface Telling {
  /** By store. */
  readonly stores: bigint[];
  /** By backend. */
  readonly backends: bigint[];
}

function computeSourcesByRow(terrain: Terrain, searches: Searches, sources: readonly Source[]): readonly Telling[] {
  const byRow = terrain.grounds.map((): Telling => ({ stores: [], backends: [] }));
  const bySearch = Map.groupBy(sources.keys(), (index) => searches.exploreFor(watchAt(sources, index)));
  for (const [explored, indexes] of bySearch) {
    const bits = indexes.map(
      (index) => [searches.selectBits(explored, watchAt(sources, index)), 1n << BigInt(index)] as const,
    );
    for (const [row, seen] of groupSeenByLabel(terrain, explored).entries()) {
      const [ground, telling] = [terrain.grounds[row], byRow[row]];
      if (ground === undefined || telling === undefined) continue;
      for (const [label, sights] of seen) {
        const set = [...sights].reduce((all, sight) => all | selectSources(bits, sight), 0n);
        tell(terrain, explored, ground, label, set, telling);
      }
    }
  }
  return byRow;
}

function watchAt(sources: readonly Source[], index: number): Watch {
  const source = sources[index];
  return source === undefined ? NOTHING : watchOf(source);
}

/** By row, then by label: the sets of matchers that were seen there. */
function groupSeenByLabel(
  terrain: Terrain,
  { frontier, conversations }: Explored,
): readonly Map<LabelId, Set<number>>[] {
  const byRow = terrain.grounds.map(() => new Map<LabelId, Set<number>>());
  for (const item of conversations) {
    const labels = byRow[frontier.place[item] ?? 0];
    const label = frontier.label[item] ?? 0;
    const sights = labels?.get(label) ?? new Set();
    labels?.set(label, sights.add(frontier.seen[item] ?? 0));
  }
  return byRow;
}

/** What asks for nothing is seen by all. */
function selectSources(bits: readonly (readonly [number, bigint])[], seen: number): bigint {
  return bits.reduce((all, [bit, source]) => ((seen & bit) === bit ? all | source : all), 0n);
}

function tell(
  terrain: Terrain,
  { passings }: Explored,
  ground: Ground,
  label: LabelId,
  set: bigint,
  { stores, backends }: Telling,
): void {
  for (const door of ground.doors) {
    if (!door.sends || passings.evaluateTransition(ground, door, label) === null) continue;
    for (const { ways } of door.writes) for (const { store } of ways) stores[store] = (stores[store] ?? 0n) | set;
  }
  for (const { backend } of findAnsweringBackends(terrain, ground, label))
    backends[backend] = (backends[backend] ?? 0n) | set;
}

/** Of services that offer tools; no other can be told anything but by a grant. */
function indexStoresByService({ tables, kinds }: Terrain): ReadonlyMap<string, number> {
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
  remembered: (set: bigint) => Told,
  telling: Telling,
  row: number,
): readonly Inflow[] {
  const createInflow = (sink: Sink, set: bigint): Inflow[] =>
    set === 0n ? [] : [{ row, sink, told: remembered(set) }];
  return [
    ...services.flatMap(({ sink, stores }) =>
      createInflow(
        sink,
        stores.reduce((all, store) => all | (telling.stores[store] ?? 0n), 0n),
      ),
    ),
    ...backends.flatMap(({ name }, index) => createInflow({ kind: "backend", name }, telling.backends[index] ?? 0n)),
  ];
}

function explainIncompleteness(searches: Searches, sources: readonly Source[]): string | undefined {
  for (const source of sources) {
    const explored = searches.exploreFor(watchOf(source));
    if (explored.givenUp !== undefined) return explainGivenUp(searches.terrain, explored, explored.givenUp);
  }
  return undefined;
}

function createQuestion(
  { rows, tools, backends }: IndexedTables,
  sharing: (name: string) => ReadonlySet<string>,
  row: number,
  { kind, name }: Sink,
  source: Source,
): Question {
  const of = { rows: rows.map((_, index) => index === row), calls: undefined, backends: undefined };
  const holding = sharing(name);
  const telling = { gates: ANY_GATE, sending: true, unreleased: false };
  const goal =
    kind === "service"
      ? { ...of, calls: { ...telling, tools: findIndexes(tools, ({ provider }) => holding.has(provider)) } }
      : { ...of, backends: { backends: findIndexes(backends, (one) => one.name === name), modes: GATES } };
  return { kind: "reach", watch: watchOf(source), goal, says: ({ does, way }) => `${does} ${way}` };
}
