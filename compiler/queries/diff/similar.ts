// Finds services, tools and sessions that were renamed and changed in the same edit: a removed thing and a new thing
// with most properties in common. Such a rename is only a guess, which helps the reader of a report. A comparison with
// the guessed names must not accept a widening that a comparison without them refuses.

import { findList, type IndexedTables } from "../../../engine/lib/policy/index.ts";
import type { Row, Tool } from "../../../engine/lib/wire/generated/policy.ts";
import { formatRowPath, serializeValue } from "../../phases/policy/index.ts";
import type { Side } from "./diff.ts";
import type { Fact } from "./facts.ts";
import { normalizeDecision, renderParams } from "./normalize.ts";
import { placeKey } from "./places.ts";
import { collectQuotaFacts } from "./quota-facts.ts";
import type { Likeness, Rename } from "./rename.ts";
import { renameInTables } from "./rename-tables.ts";
import { pairNames } from "./renames.ts";
import { collectMatchedRowFacts } from "./row-facts.ts";
import { collectToolAttributes } from "./tool-facts.ts";

type Described = Pick<Side, "tables" | "machine">;

/**
 * Properties of a thing. Each map has one entry for each property. The key of an entry identifies the property and the
 * value of the property. The value of an entry is the property's name.
 */
interface Properties {
  readonly facts: Named;
  /** Decisions about the calls of the tools that belong to the thing: a service, a tool or a session. */
  readonly cells: Named;
}

type Named = ReadonlyMap<string, string>;

type SimilarKind = "service" | "tool" | "session";

interface SimilarName extends Rename {
  readonly kind: SimilarKind;
}

interface LikelyName extends SimilarName {
  readonly likeness: Likeness;
}

const KINDS: readonly SimilarKind[] = ["service", "tool", "session"];
/** Maximum number of pairs of names that are compared for one kind. With more pairs, nothing of this kind is reported. */
const MOST_PAIRS = 64;

/**
 * Returns the renames of things that have other changes too: services first, then tools and sessions. A pair of an old
 * and a new thing must have at least half of its facts and half of its decisions in common. No other pair that contains
 * one of the two names may have as much in common.
 */
export function findSimilar(before: Described, after: Described): readonly LikelyName[] {
  const found: LikelyName[] = [];
  let { tables } = before;
  for (const kind of KINDS) {
    const pairs = pairNames(listNames(tables, kind), listNames(after.tables, kind));
    if (pairs.length > MOST_PAIRS) continue;
    const alike = pairs.flatMap(([from, to]): readonly LikelyName[] => {
      const rename = { kind, from, to };
      if (!canBeSame(tables, after.tables, rename)) return [];
      const likeness = compareProperties({ ...before, tables }, after, rename);
      return likeness === undefined ? [] : [{ ...rename, likeness }];
    });
    const sure = alike.filter((one) =>
      alike.every((other) => one === other || !isRival(one, other) || isMoreAlike(one.likeness, other.likeness)),
    );
    tables = renameInTables(tables, sure);
    found.push(...sure);
  }
  return found;
}

function isRival(one: SimilarName, other: SimilarName): boolean {
  return one.from === other.from || one.to === other.to;
}

/**
 * Returns whether the first share of equal properties is greater than the second. It compares products of whole
 * numbers, because divisions could round equal shares to unequal fractions.
 */
function isMoreAlike(one: Likeness, other: Likeness): boolean {
  return one.shared * other.total > other.shared * one.total;
}

function listNames({ tools, rows }: IndexedTables, kind: SimilarKind): readonly string[] {
  switch (kind) {
    case "service":
      return [...new Set(tools.map(({ provider }) => provider))];
    case "tool":
      return tools.map(({ name }) => name);
    case "session":
      return [...new Set(rows.map(({ session }) => session))];
  }
}

/**
 * Returns whether two things can be one thing under two names. If they cannot, their other properties are not compared.
 */
function canBeSame(before: IndexedTables, after: IndexedTables, { kind, from, to }: SimilarName): boolean {
  switch (kind) {
    case "session":
      return isMostly(compareSets(listKinds(before, from), listKinds(after, to)));
    case "service":
      return isMostly(compareSets(listMethods(listToolsOf(before, from)), listMethods(listToolsOf(after, to))));
    case "tool": {
      const [one, other] = [findTool(before, from), findTool(after, to)];
      if (one === undefined || one.provider !== other?.provider) return false;
      return renderParams(one.params) === renderParams(other.params) || one.description === other.description;
    }
  }
}

function listKinds({ rows }: IndexedTables, name: string): ReadonlySet<string> {
  return new Set(rows.flatMap(({ session, kind }) => (session === name ? kind : [])));
}

function listToolsOf({ tools }: IndexedTables, service: string): readonly Tool[] {
  return tools.filter(({ provider }) => provider === service);
}

function findTool({ tools, toolIndex }: IndexedTables, name: string): Tool | undefined {
  return tools[toolIndex.get(name) ?? -1];
}

function listMethods(tools: readonly Tool[]): ReadonlySet<string> {
  return new Set(tools.map(({ interfaceId, method, methodName }) => `${interfaceId} ${method} ${methodName}`));
}

function isMostly({ shared, total }: Likeness): boolean {
  return 2 * shared >= total;
}

function compareProperties(before: Described, after: Described, rename: SimilarName): Likeness | undefined {
  const { kind, from, to } = rename;
  const named = renameInTables(before.tables, [rename]);
  const hasMachines = before.machine !== undefined && after.machine !== undefined;
  const [older, newer] = [hasMachines ? before.machine : [], hasMachines ? after.machine : []];
  const old = collectProperties(kind, { tables: named, other: after.tables, machine: older, placed: from }, to);
  const now = collectProperties(kind, { tables: after.tables, other: named, machine: newer, placed: to }, to);
  const [facts, cells] = [compareNamed(old.facts, now.facts), compareNamed(old.cells, now.cells)];
  const differing = [...new Set([...facts.differing, ...cells.differing])];
  const likeness = { shared: facts.shared + cells.shared, total: facts.total + cells.total, differing };
  return isMostly(facts) && isMostly(cells) && likeness.shared > 0 ? likeness : undefined;
}

function compareSets(one: ReadonlySet<string>, other: ReadonlySet<string>): Likeness {
  return {
    shared: one.intersection(other).size,
    total: Math.max(one.size, other.size),
    differing: [...one.symmetricDifference(other)],
  };
}

function compareNamed(one: Named, other: Named): Likeness {
  const { differing, ...likeness } = compareSets(new Set(one.keys()), new Set(other.keys()));
  return { ...likeness, differing: differing.map((key) => one.get(key) ?? other.get(key) ?? key) };
}

interface Source {
  readonly tables: IndexedTables;
  readonly other: IndexedTables;
  readonly machine: readonly Fact[];
  /** Name of the service in `machine`: its old name in the older facts, because these facts are not renamed. */
  readonly placed: string;
}

function collectProperties(kind: SimilarKind, source: Source, name: string): Properties {
  return kind === "session" ? describeSession(source, name) : describeTools(kind, source, name);
}

function describeSession({ tables, other }: Source, name: string): Properties {
  const rows = tables.rows.filter(({ session }) => session === name);
  const quotas = collectQuotaFacts(tables, new Set(rows.map(placeKey)), () => true);
  const facts = [
    ...rows.flatMap((row) => collectMatchedRowFacts(tables, row)),
    ...quotas.filter(({ owner }) => owner?.kind === "session" && owner.name === name),
  ];
  const shared = tables.tools.filter((tool) => other.toolIndex.has(tool.name)).map((tool) => tool.name);
  return {
    facts: new Map(facts.map(({ place, what, value }) => [serializeValue([place, what, value]), what])),
    cells: new Map(rows.flatMap((row) => describeCells(tables, row, shared))),
  };
}

/**
 * Attributes that the interface of a tool fixes, or that name its service. They are not compared, because they do not
 * distinguish the services of one interface.
 */
const OF_INTERFACE: ReadonlySet<string> = new Set(["provider", "method", "description", "arguments", "category"]);

function describeTools(kind: "service" | "tool", { tables, other, machine, placed }: Source, name: string): Properties {
  const tools = kind === "service" ? listToolsOf(tables, name) : tables.tools.filter((tool) => tool.name === name);
  const shared = other.rows.map(placeKey);
  const attributes = tools.flatMap((tool) => collectToolAttributes(tables, tool));
  const facts = [
    ...attributes.filter(({ what }) => !OF_INTERFACE.has(what)),
    ...machine.filter(({ place }) => kind === "service" && place === `service ${placed}`),
  ];
  const rows = tables.rows.filter((row) => shared.includes(placeKey(row)));
  const names = tools.map((tool) => tool.name);
  return {
    facts: new Map(facts.map(({ what, value }) => [serializeValue([what, value]), what])),
    cells: new Map(rows.flatMap((row) => describeCells(tables, row, names))),
  };
}

/**
 * Returns one entry for each tool that has a decision in the row. The key identifies the decision about its calls, and the value names this
 * decision.
 */
function describeCells(
  tables: IndexedTables,
  row: Row,
  names: readonly string[],
): readonly (readonly [string, string])[] {
  return names.flatMap((name) => {
    const list = findList(tables, row, tables.toolIndex.get(name) ?? -1);
    if (list === undefined) return [];
    const key = serializeValue([placeKey(row), name, normalizeDecision(list, tables.lattice)]);
    return [[key, `${formatRowPath(row)}: ${name}`] as const];
  });
}
