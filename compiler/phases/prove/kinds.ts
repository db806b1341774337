import { FIRST_DECISION, type IndexedTables } from "../../../engine/lib/policy/index.ts";
import type { Label, Tool } from "../../../engine/lib/wire/generated/policy.ts";
import type { BoundRange, Model } from "../bind/index.ts";
import { type Manners, SHUT } from "./manners.ts";
import { createNumbering, createPairNumbering } from "./numbering.ts";
import { collectPlanExecutors, derivePlanExchanges } from "./plans.ts";

// Ten thousand tools of a page are a few dozen kinds: tools that every row decides alike and that label alike what goes in and
// out do the same to any conversation, and services that offer the same kinds hold the same in the end. One stands for all.

/** Tools that nothing but their names tells apart. */
interface Kind {
  /** The one that stands for them: index into the tables' tools. */
  readonly tool: number;
  /** Index into `stores`. */
  readonly store: number;
}

/** Services that nothing but their names tells apart. */
interface StoreKind {
  /** The service that stands for them. */
  readonly service: string;
  /** Stores that come to hold what it holds, by a grant or a plan. */
  readonly exchanges: readonly number[];
}

/** All kinds of tools and of services. */
export interface Kinds {
  readonly kinds: readonly Kind[];
  /** By tool. */
  readonly kindOf: readonly number[];
  readonly stores: readonly StoreKind[];
}

/** Tells tools and services apart by what rows decide and labels say, and by nothing else. */
export function classifyTools(tables: IndexedTables, model: Model, manners: Manners): Kinds {
  const looks = classifyLooks(tables, manners);
  const stores = classifyStores(tables, model, looks);
  const numbered = createPairNumbering();
  const kinds: Kind[] = [];
  const kindOf = tables.tools.map(({ provider }, tool) => {
    const store = stores.storeOf.get(provider) ?? 0;
    const kind = numbered(looks[tool] ?? 0, store);
    // The one that stands for a kind is a tool of the service that stands for its store.
    const stands = stores.stores[store]?.service === provider && kinds[kind]?.tool === undefined;
    if (stands) kinds[kind] = { tool, store };
    return kind;
  });
  return { kinds, kindOf, stores: stores.stores };
}

/** For each tool a number that it shares with those which are decided and labelled as it is, whoever their service is. */
function classifyLooks(tables: IndexedTables, manners: Manners): readonly number[] {
  const released = tables.tools.map((): number[] => []);
  for (const [index, { tools }] of tables.releases.entries()) for (const tool of tools) released[tool]?.push(index);
  const [pairs, releases, look] = [createPairNumbering(), createNumbering<string>(), createFlowClassifier()];
  let ids = tables.tools.map((tool, index) => {
    const form = pairs(manners.params[index] ?? 0, look(tool));
    return pairs(form, releases((released[index] ?? []).join()));
  });
  for (const { cells } of tables.rows) {
    const byCell = createPairNumbering();
    ids = ids.map((id, tool) => byCell(id, getMannerOfCell(manners, cells, tool)));
  }
  return ids;
}

/** Numbers for what tools are to a flow. */
function createFlowClassifier(): (tool: Tool) => number {
  const [pairs, sets] = [createPairNumbering(), createNumbering<bigint>()];
  const numberLabel = ({ confidentiality, integrity, compartments }: Label) =>
    pairs(confidentiality * 256 + integrity, sets(compartments));
  return ({ sink, result, readOnly, networked }) => {
    const labels = pairs(pairs(numberLabel(sink), numberLabel(result.low)), numberLabel(result.high));
    return labels * 4 + (readOnly ? 2 : 0) + (networked ? 1 : 0);
  };
}

/** How a tool is decided in a row with these cells. */
export function getMannerOfCell(manners: Manners, cells: readonly number[], tool: number): number {
  const list = (cells[tool] ?? 0) - FIRST_DECISION;
  return list < 0 ? SHUT : manners.getMannerId(tool, list);
}

interface Stores {
  readonly stores: readonly StoreKind[];
  /** By name of the service. */
  readonly storeOf: ReadonlyMap<string, number>;
}

function classifyStores(tables: IndexedTables, model: Model, looks: readonly number[]): Stores {
  const exchanges = collectExchanges(tables, model);
  const offers = classifyOffers(tables, model, looks, exchanges);
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

/** No number of a pair is as high, so that a beginning is never taken for what follows one. */
const BEGINNING = 2 ** 24 - 1;

/** For each service a number that it shares with those that offer the same and hold the same, in the order of its tools. */
function classifyOffers(
  tables: IndexedTables,
  model: Model,
  looks: readonly number[],
  exchanges: ReadonlyMap<string, unknown>,
): Map<string, number> {
  const [pairs, beginnings] = [createPairNumbering(), createNumbering<string>()];
  const ranges = new Map(model.services.map(({ name, label }) => [name, label ? formatRange(label) : ""]));
  const offers = new Map<string, number>();
  // What a grant or a plan connects is told apart by its name.
  const begin = (name: string) => beginnings(`${exchanges.has(name) ? name : ""} ${ranges.get(name)}`);
  for (const [tool, { provider }] of tables.tools.entries()) {
    const before = offers.get(provider) ?? pairs(BEGINNING, begin(provider));
    offers.set(provider, pairs(before, looks[tool] ?? 0));
  }
  for (const { name } of model.services) if (!offers.has(name)) offers.set(name, pairs(BEGINNING, begin(name)));
  return offers;
}

function formatRange({ low, high }: BoundRange): string {
  const [from, to] = [low, high].map((at) => `${at.confidentiality}/${at.integrity}/${at.compartments}`);
  return `${from}..${to}`;
}

/**
 * Who may tell whom what it keeps: services that a grant connects, both ways; and what executes plans, in the direction in which
 * plans carry it. Every service of such a pair has an entry.
 */
export function collectExchanges(tables: IndexedTables, model: Model): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const toldBy = (name: string): Set<string> => {
    const told = found.get(name) ?? new Set();
    found.set(name, told);
    return told;
  };
  const add = (from: string, to: string) => {
    toldBy(from).add(to);
    toldBy(to);
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
