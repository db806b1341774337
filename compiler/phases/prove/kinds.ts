import { FIRST_DECISION, type IndexedTables } from "../../../engine/lib/policy/index.ts";
import type { Label, Tool } from "../../../engine/lib/wire/generated/policy.ts";
import type { BoundRange, Model } from "../bind/index.ts";
import { type DecisionAbstractions, NEVER_RUNS } from "./abstractions.ts";
import { createNumbering, createPairNumbering } from "./numbering.ts";
import { collectPlanExecutors, derivePlanExchanges } from "./plans.ts";

// Groups tools and services into kinds, because the ten thousand tools of a page usually have only a few dozen kinds.
// Tools with the same decision in every row and the same labels have the same effect on any conversation. Services with
// the same kinds of tools can receive the same data. The search uses one tool or service for each kind.

/** A group of tools that differ only in their names. */
interface Kind {
  /** The tool that represents the group, as an index into the tables' tools. */
  readonly tool: number;
  /** Group of the services to which the tools belong, as an index into `stores`. */
  readonly store: number;
}

/** A group of services that differ only in their names. */
interface StoreKind {
  /** The service that represents the group. */
  readonly service: string;
  /** Groups of services that can receive data of this group through a grant or a plan, as indexes into `stores`. */
  readonly exchanges: readonly number[];
}

/** All groups of tools, and all groups of services. */
export interface Kinds {
  readonly kinds: readonly Kind[];
  /** For each tool, the index of its group in `kinds`. */
  readonly kindOf: readonly number[];
  readonly stores: readonly StoreKind[];
}

/** Groups tools and services: members of a group have the same decisions in all rows, and the same labels. */
export function classifyTools(tables: IndexedTables, model: Model, abstractions: DecisionAbstractions): Kinds {
  const classes = classifyByDecisions(tables, abstractions);
  const stores = classifyStores(tables, model, classes);
  const numbered = createPairNumbering();
  const kinds: Kind[] = [];
  const kindOf = tables.tools.map(({ provider }, tool) => {
    const store = stores.storeOf.get(provider) ?? 0;
    const kind = numbered(classes[tool] ?? 0, store);
    // `store` stands for services of one kind, of which one service represents all. The tool that represents a kind of
    // tools must belong to this service.
    const isRepresentative = stores.stores[store]?.service === provider && kinds[kind]?.tool === undefined;
    if (isRepresentative) kinds[kind] = { tool, store };
    return kind;
  });
  return { kinds, kindOf, stores: stores.stores };
}

/**
 * Returns the class of each tool. Tools of one class have the same decisions and labels, but may belong to different
 * services.
 */
function classifyByDecisions(tables: IndexedTables, abstractions: DecisionAbstractions): readonly number[] {
  const released = new Map<number, string>();
  for (const [index, { tools }] of tables.releases.entries())
    for (const tool of tools) released.set(tool, `${released.get(tool) ?? ""},${index}`);
  const [forms, withReleases] = [createPairNumbering(), createPairNumbering()];
  const [releases, classifyFlow] = [createNumbering<string>(), createFlowClassifier()];
  const ids = tables.tools.map((tool, index) => {
    const form = forms(abstractions.params[index] ?? 0, classifyFlow(tool));
    return withReleases(form, releases(released.get(index) ?? ""));
  });
  // Use a simple loop, because there is a cell for each pair of a row and a tool.
  for (const { cells } of tables.rows) {
    const byCell = createPairNumbering();
    for (let tool = 0; tool < ids.length; tool++)
      ids[tool] = byCell(ids[tool] ?? 0, getAbstractionOfCell(abstractions, cells, tool));
  }
  return ids;
}

/**
 * Returns a function that numbers tools. Tools with the same number have the same sink and result labels, and agree in
 * `readOnly` and `networked`.
 */
function createFlowClassifier(): (tool: Tool) => number {
  const [pairs, sets] = [createPairNumbering(), createNumbering<bigint>()];
  const numberLabel = ({ confidentiality, integrity, compartments }: Label) =>
    pairs(confidentiality * 256 + integrity, compartments === 0n ? 0 : 1 + sets(compartments));
  const numberLabels = ({ sink, result }: Tool) =>
    pairs(pairs(numberLabel(sink), numberLabel(result.low)), numberLabel(result.high));
  let before: { readonly tool: Tool; readonly labels: number } | undefined;
  return (tool) => {
    // Most tools of one service share their labels and are adjacent, so `numberLabels` runs only once for them.
    if (before?.tool.sink !== tool.sink || before.tool.result !== tool.result)
      before = { tool, labels: numberLabels(tool) };
    const { labels } = before;
    const { readOnly, networked } = tool;
    return labels * 4 + (readOnly ? 2 : 0) + (networked ? 1 : 0);
  };
}

/**
 * Returns the number of the abstraction of a tool's cell: the modes that its decision list can give. `cells` are the
 * cells of one row, one for each tool.
 */
export function getAbstractionOfCell(
  abstractions: DecisionAbstractions,
  cells: readonly number[],
  tool: number,
): number {
  const list = (cells[tool] ?? 0) - FIRST_DECISION;
  return list < 0 ? NEVER_RUNS : abstractions.getAbstractionId(tool, list);
}

interface Stores {
  readonly stores: readonly StoreKind[];
  /** For each service, by its name, the index of its group in `stores`. */
  readonly storeOf: ReadonlyMap<string, number>;
}

function classifyStores(tables: IndexedTables, model: Model, classes: readonly number[]): Stores {
  const exchanges = collectExchanges(tables, model);
  const offers = classifyOffers(tables, model, classes, exchanges);
  const numbered = createNumbering<number>();
  const storeOf = new Map<string, number>();
  const services: string[] = [];
  for (const [name, offer] of offers) {
    const store = numbered(offer);
    storeOf.set(name, store);
    services[store] ??= name;
  }
  const stores = services.map((service) => ({
    service,
    exchanges: [...(exchanges.get(service) ?? [])].map((other) => storeOf.get(other) ?? 0),
  }));
  return { stores, storeOf };
}

/**
 * The number of a service is computed from a chain of pairs. The first pair begins with this constant. Each later pair
 * begins with the number of the pair before it, and ends with the class of a tool. Numbers of pairs are smaller than
 * this constant, so no later pair equals a first pair.
 */
const BEGINNING = 2 ** 24 - 1;

/**
 * Returns a number for each service. Services with the same tools and the same label range have the same number, unless
 * a grant or a plan connects them with other services.
 */
function classifyOffers(
  tables: IndexedTables,
  model: Model,
  classes: readonly number[],
  exchanges: ReadonlyMap<string, unknown>,
): Map<string, number> {
  const [pairs, beginnings] = [createPairNumbering(), createNumbering<string>()];
  const ranges = new Map(model.services.map(({ name, label }) => [name, label ? formatRange(label) : ""]));
  const offers = new Map<string, number>();
  // Services that a grant or a plan connects with other services are distinguished by name.
  const begin = (name: string) => beginnings(`${exchanges.has(name) ? name : ""} ${ranges.get(name)}`);
  let [last, offer] = ["", 0];
  // The tools of a service are usually adjacent in the tables, so its number is usually written to `offers` only once.
  for (let tool = 0; tool < tables.tools.length; tool++) {
    const { provider = "" } = tables.tools[tool] ?? {};
    if (provider !== last) {
      if (last !== "") offers.set(last, offer);
      offer = offers.get(provider) ?? pairs(BEGINNING, begin(provider));
      last = provider;
    }
    offer = pairs(offer, classes[tool] ?? 0);
  }
  if (last !== "") offers.set(last, offer);
  for (const { name } of model.services) if (!offers.has(name)) offers.set(name, pairs(BEGINNING, begin(name)));
  return offers;
}

function formatRange({ low, high }: BoundRange): string {
  const [from, to] = [low, high].map((at) => `${at.confidentiality}/${at.integrity}/${at.compartments}`);
  return `${from}..${to}`;
}

/**
 * Returns, for each service, the services that may receive its data. A grant between two services lets data flow in
 * both directions. A plan lets data flow only as `derivePlanExchanges` states. Every service that sends or receives
 * data in this way has an entry.
 */
export function collectExchanges(tables: IndexedTables, model: Model): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const getReceivers = (name: string): Set<string> => {
    const receivers = found.get(name) ?? new Set();
    found.set(name, receivers);
    return receivers;
  };
  const add = (from: string, to: string) => {
    getReceivers(from).add(to);
    getReceivers(to);
  };
  for (const { name, grants } of model.services) {
    for (const { to } of grants) {
      if (to.kind !== "service") continue;
      add(name, to.name);
      add(to.name, name);
    }
  }
  for (const planned of collectPlanExecutors(tables, model))
    for (const [from, to] of derivePlanExchanges(tables, planned)) add(from, to);
  return found;
}
