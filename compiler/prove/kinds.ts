import { FIRST_DECISION } from "../../engine/policy/index.ts";
import type { PolicyTables, Tool } from "../../engine/wire/generated/policy.ts";
import { byCodeUnits } from "../../lang/text/index.ts";
import type { Model } from "../bind/index.ts";
import { type Manners, SHUT } from "./manners.ts";
import { numbering } from "./numbering.ts";

// Ten thousand tools of a page are a few dozen kinds: tools that every row decides alike and that label alike what goes in and
// out do the same to any conversation, and services that offer the same kinds hold the same in the end. One stands for all.

/** Tools that nothing but their names tells apart. */
export interface Kind {
  /** The one that stands for them: index into the tables' tools. */
  readonly tool: number;
  /** Index into `stores`. */
  readonly store: number;
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

export function kindsOf(tables: PolicyTables, model: Model, manners: Manners): Kinds {
  const looks = looksOf(tables, manners);
  const stores = storesOf(tables, model, looks);
  const numbered = numbering<string>();
  const kinds: Kind[] = [];
  const kindOf = tables.tools.map(({ provider }, tool) => {
    const store = stores.storeOf.get(provider) ?? 0;
    const kind = numbered(`${looks[tool]} ${store}`);
    // The one that stands for a kind is a tool of the service that stands for its store.
    const stands = stores.stores[store]?.service === provider && kinds[kind]?.tool === undefined;
    if (stands) kinds[kind] = { tool, store };
    return kind;
  });
  return { kinds, kindOf, stores: stores.stores };
}

/** For each tool a number that it shares with those which are decided and labelled as it is, whoever their service is. */
function looksOf(tables: PolicyTables, manners: Manners): readonly number[] {
  const released = tables.tools.map((): number[] => []);
  for (const [index, { tools }] of tables.releases.entries()) for (const tool of tools) released[tool]?.push(index);
  const byLook = numbering<string>();
  let ids = tables.tools.map((tool, index) => byLook(`${manners.params[index]} ${lookOf(tool)} ${released[index]}`));
  for (const { cells } of tables.rows) {
    const byCell = numbering<number>();
    // No page has more manners than this, nor as many kinds as make the product inexact.
    ids = ids.map((id, tool) => byCell(id * 2 ** 24 + mannerIn(manners, cells, tool)));
  }
  return ids;
}

/** How a tool is decided in a row with these cells. */
export function mannerIn(manners: Manners, cells: readonly number[], tool: number): number {
  const list = (cells[tool] ?? 0) - FIRST_DECISION;
  return list < 0 ? SHUT : manners.of(tool, list);
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
