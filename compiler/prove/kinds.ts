import type { PolicyTables, Tool } from "../../engine/wire/generated/policy.ts";
import { byCodeUnits } from "../../lang/text/index.ts";
import type { Model } from "../bind/index.ts";

// Ten thousand tools of a page are a few dozen kinds: tools that every row decides alike and that label alike what goes in and
// out do the same to any conversation, and services that offer the same kinds hold the same in the end. One stands for all.

/** Tools that nothing but their names tells apart. */
export interface Kind {
  /** The one that stands for them: index into the tables' tools. */
  readonly tool: number;
  /** Index into `stores`. */
  readonly store: number;
  /** Equal for tools that take the same arguments. */
  readonly params: number;
}

/** Services that nothing but their names tells apart. */
export interface StoreKind {
  /** The service that stands for them. */
  readonly service: string;
  /** Stores that a grant connects it with. */
  readonly exchanges: readonly number[];
}

export interface Kinds {
  readonly kinds: readonly Kind[];
  /** By tool. */
  readonly kindOf: readonly number[];
  readonly stores: readonly StoreKind[];
}

export function kindsOf(tables: PolicyTables, model: Model): Kinds {
  const looks = looksOf(tables);
  const stores = storesOf(tables, model, looks.ids);
  const numbered = numbering<string>();
  const kinds: Kind[] = [];
  const kindOf = tables.tools.map(({ provider }, tool) => {
    const store = stores.storeOf.get(provider) ?? 0;
    const kind = numbered(`${looks.ids[tool]} ${store}`);
    // The one that stands for a kind is a tool of the service that stands for its store.
    const stands = stores.stores[store]?.service === provider && kinds[kind]?.tool === undefined;
    if (stands) kinds[kind] = { tool, store, params: looks.params[tool] ?? 0 };
    return kind;
  });
  return { kinds, kindOf, stores: stores.stores };
}

/** For each tool a number that it shares with those which are decided and labelled as it is, whoever their service is. */
function looksOf(tables: PolicyTables): { readonly ids: readonly number[]; readonly params: readonly number[] } {
  const released = tables.tools.map((): number[] => []);
  for (const [index, { tools }] of tables.releases.entries()) for (const tool of tools) released[tool]?.push(index);
  const byParams = numbering<string>();
  const byLook = numbering<string>();
  const params = tables.tools.map((tool) => byParams(`${tool.interfaceId} ${tool.method} ${tool.paramSchema}`));
  let ids = tables.tools.map((tool, index) => byLook(`${params[index]} ${lookOf(tool)} ${released[index]}`));
  for (const { cells } of tables.rows) {
    const byCell = numbering<number>();
    ids = ids.map((id, tool) => byCell(id * (tables.decisions.length + 2) + (cells[tool] ?? 0)));
  }
  return { ids, params };
}

function lookOf({ sink, result: { low, high }, readOnly, networked }: Tool): string {
  const labels = [sink, low, high].map((at) => `${at.confidentiality}/${at.integrity}/${at.compartments}`);
  return `${labels.join(" ")} ${readOnly} ${networked}`;
}

interface Stores {
  readonly stores: readonly StoreKind[];
  /** By name of the service. */
  readonly storeOf: ReadonlyMap<string, number>;
}

function storesOf(tables: PolicyTables, model: Model, looks: readonly number[]): Stores {
  const offered = new Map<string, Set<number>>(model.services.map(({ name }) => [name, new Set()]));
  for (const [tool, { provider }] of tables.tools.entries()) offered.get(provider)?.add(looks[tool] ?? 0);
  const exchanges = exchangesOf(model);
  const ranges = new Map(model.services.map((service) => [service.name, JSON.stringify(labelWords(service))]));
  const numbered = numbering<string>();
  const storeOf = new Map<string, number>();
  const services: string[] = [];
  for (const name of [...offered.keys()].sort(byCodeUnits)) {
    const kinds = [...(offered.get(name) ?? [])].sort((left, right) => left - right);
    // What a grant connects is told apart by its name.
    const alone = exchanges.has(name) ? name : "";
    const store = numbered(`${alone} ${ranges.get(name)} ${kinds}`);
    storeOf.set(name, store);
    services[store] ??= name;
  }
  const stores = services.map((service) => ({
    service,
    exchanges: [...(exchanges.get(service) ?? [])].map((other) => storeOf.get(other) ?? 0),
  }));
  return { stores, storeOf };
}

function labelWords({ label }: Model["services"][number]): unknown {
  return [label?.low, label?.high].map((at) => at && [at.confidentiality, at.integrity, `${at.compartments}`]);
}

/** Who holds a grant on whom, and the other way: what one keeps may come to be kept by the other. */
function exchangesOf(model: Model): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const add = (one: string, other: string) => found.set(one, (found.get(one) ?? new Set()).add(other));
  for (const { name, grants } of model.services) {
    for (const { to } of grants) {
      if (to.kind !== "service") continue;
      add(name, to.name);
      add(to.name, name);
    }
  }
  return found;
}

/** Numbers for what is met, from 0, in the order of first meeting. */
export function numbering<T>(): (met: T) => number {
  const numbers = new Map<T, number>();
  return (met) => {
    const number = numbers.get(met) ?? numbers.size;
    numbers.set(met, number);
    return number;
  };
}
