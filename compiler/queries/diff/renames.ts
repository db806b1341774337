// Finds levels, compartments, services, tools and sessions of which only the name differs between two tables. A new
// name counts as a rename only if all other properties are equal. To find out, the older tables get the new name. Then
// no difference may concern the renamed thing.

import type { IndexedTables } from "../../../engine/lib/policy/index.ts";
import type { Row, Tool } from "../../../engine/lib/wire/generated/policy.ts";
import { serializeValue } from "../../phases/policy/index.ts";
import { diffCells } from "./cells.ts";
import { createHeldCheck, isPersistentQuota } from "./counters.ts";
import type { Direction } from "./direction.ts";
import { diffFacts, type FactChange } from "./facts.ts";
import { placeKey } from "./places.ts";
import { collectQuotaFacts } from "./quota-facts.ts";
import type { Likeness, Rename } from "./rename.ts";
import { renameInTables } from "./rename-tables.ts";
import { collectRowFacts } from "./row-facts.ts";
import { collectTableFacts } from "./table-facts.ts";
import { collectToolFacts } from "./tool-facts.ts";

/** Maximum number of pairs of an old and a new name that are tried. With more pairs, nothing is reported as renamed. */
const MOST_PAIRS = 64;

/**
 * Returns the renames that turn names of `before` into names of `after`: labels first, then services, tools and
 * sessions.
 */
export function findRenames(before: IndexedTables, after: IndexedTables): readonly Rename[] {
  const found: Rename[] = [];
  let tables = before;
  for (const propose of [proposeLevels, proposeCompartments, proposeServices, proposeTools, proposeSessions]) {
    const proposed = propose(tables, after);
    if (proposed.length > MOST_PAIRS) continue;
    const held = proposed.filter((rename) => isWholeRename(renameInTables(tables, [rename]), after, rename));
    // If a name fits two names of the other side, it is unknown which of them is the right one.
    const sure = held.filter((one) => held.filter(({ from, to }) => from === one.from || to === one.to).length === 1);
    tables = renameInTables(tables, sure);
    found.push(...sure);
  }
  return found;
}

/** Returns the levels with new names at the same positions. A level means only its position, so nothing else has to be compared. */
function proposeLevels({ lattice: old }: IndexedTables, { lattice: now }: IndexedTables): readonly Rename[] {
  return [[old.confidentiality, now.confidentiality] as const, [old.integrity, now.integrity] as const].flatMap(
    ([names, others]) =>
      names.length !== others.length
        ? []
        : names.flatMap((from, index): readonly Rename[] => {
            const to = others[index] ?? "";
            return names.includes(to) || others.includes(from) ? [] : [{ kind: "level", from, to }];
          }),
  );
}

function proposeCompartments({ lattice: old }: IndexedTables, { lattice: now }: IndexedTables): readonly Rename[] {
  return pairNames(old.compartments, now.compartments).map(([from, to]) => ({ kind: "compartment", from, to }));
}

function proposeServices(before: IndexedTables, after: IndexedTables): readonly Rename[] {
  const [old, now] = [groupByProvider(before), groupByProvider(after)];
  return pairNames([...old.keys()], [...now.keys()]).flatMap(([from, to]): readonly Rename[] => {
    const [one, other] = [old.get(from) ?? [], now.get(to) ?? []];
    return describeShape(one) === describeShape(other) ? [{ kind: "service", from, to }] : [];
  });
}

function groupByProvider({ tools }: IndexedTables): ReadonlyMap<string, readonly Tool[]> {
  return Map.groupBy(tools, ({ provider }) => provider);
}

/** Returns a text that is equal for services with equal methods. */
function describeShape(tools: readonly Tool[]): string {
  return serializeValue(tools.map(({ interfaceId, methodName }) => [interfaceId, methodName]));
}

function proposeTools(before: IndexedTables, after: IndexedTables): readonly Rename[] {
  const nameOf = ({ name }: Tool) => name;
  return pairNames(before.tools.map(nameOf), after.tools.map(nameOf)).flatMap(([from, to]): readonly Rename[] => {
    const [one, other] = [before, after].map((tables, index) => {
      return tables.tools[tables.toolIndex.get(index === 0 ? from : to) ?? -1];
    });
    const isAlike =
      one?.provider === other?.provider &&
      one?.interfaceId === other?.interfaceId &&
      // A method is called by its number, so another number means another method. A tool of an MCP list is called by
      // its name.
      one?.method === other?.method &&
      one?.paramSchema === other?.paramSchema &&
      one?.description === other?.description;
    return isAlike ? [{ kind: "tool", from, to }] : [];
  });
}

function proposeSessions({ rows: old }: IndexedTables, { rows: now }: IndexedTables): readonly Rename[] {
  const [before, after] = [old, now].map((rows) => Map.groupBy(rows, ({ session }) => session));
  if (before === undefined || after === undefined) return [];
  return pairNames([...before.keys()], [...after.keys()]).flatMap(([from, to]): readonly Rename[] => {
    const [one, other] = [before.get(from) ?? [], after.get(to) ?? []];
    return describeRows(one) === describeRows(other) ? [{ kind: "session", from, to }] : [];
  });
}

function describeRows(rows: readonly Row[]): string {
  return serializeValue(rows.map(({ task, phase, worker, kind }) => [task, phase, worker, kind]));
}

/** Returns all pairs of a removed name and a new name. */
export function pairNames(before: readonly string[], after: readonly string[]): readonly (readonly [string, string])[] {
  const [old, now] = [new Set(before), new Set(after)];
  const fresh = after.filter((name) => !old.has(name));
  const gone = before.filter((name) => !now.has(name));
  // With thousands of new tools, the pairs would be too many.
  if (gone.length * fresh.length > MOST_PAIRS ** 2) return [];
  return gone.flatMap((from) => fresh.map((to) => [from, to] as const));
}

/** Returns whether no difference concerns the renamed thing. */
function isWholeRename(named: IndexedTables, newer: IndexedTables, { kind, to }: Rename): boolean {
  if (kind === "level" || kind === "compartment") return true;
  // Sessions may be renamed too. Their rows are compared when the rename of the session is tried.
  const [renamed, after] = kind === "session" ? [named, newer] : [keepRows(named, newer), keepRows(newer, named)];
  const isOfTool = (name: string) => (kind === "tool" ? name === to : name.startsWith(`${to}.`));
  const isOfFact = ({ places, owners }: FactChange) =>
    kind === "session"
      ? owners.some((owner) => owner.kind === "session" && owner.name === to) ||
        places.some((place) => place === to || place.startsWith(`${to}.`))
      : places.some((place) => place.startsWith("tool ") && isOfTool(place.slice("tool ".length)));
  const isOfCells = diffCells(renamed, after).some(
    ({ at, direction }) =>
      direction !== "alike" &&
      at.some(({ place, tools }) => (kind === "session" ? place.session === to : tools.some(isOfTool))),
  );
  return !isOfCells && !diffFacts(collectFacts(renamed, after), collectFacts(after, renamed)).some(isOfFact);
}

/** Returns the tables with only the rows that the other tables also have. */
function keepRows(tables: IndexedTables, other: IndexedTables): IndexedTables {
  const there = new Set(other.rows.map(placeKey));
  return { ...tables, rows: tables.rows.filter((row) => there.has(placeKey(row))), ingresses: [] };
}

function collectFacts(tables: IndexedTables, other: IndexedTables) {
  const shared = new Set(other.rows.map(placeKey));
  return [
    ...collectRowFacts(tables, shared),
    ...collectQuotaFacts(tables, shared, createHeldCheck(tables, other)),
    ...collectToolFacts(tables, other),
    ...collectTableFacts(tables),
  ];
}

/** Returns whether other facts about a renamed thing have changed, such as those of its process. */
export function hasOtherChanges({ kind, to }: Rename, changes: readonly FactChange[]): boolean {
  const places = [`${kind} ${to}`, `process ${to}`, `file program.${to}`, `file methods.${to}`];
  return changes
    .filter((change) => !isRename(change))
    .some(
      (change) =>
        change.owners.some((owner) => owner.kind === kind && owner.name === to) ||
        ((kind === "service" || kind === "tool") && change.places.some((place) => places.includes(place))),
    );
}

/** Kinds of things whose data on the disk is stored under their names. */
const KEPT_BY_NAME: readonly Rename["kind"][] = ["service", "session"];

/**
 * Returns the changes that report renames. A new name alone gives no authority. But the data disk stores counters under
 * the old name: the counters of a renamed session per day or principal start at 0, so this rename may allow more. If a
 * rename is only probable, the thing may be new, so the rename counts as a widening.
 */
export function describeRenames(renames: readonly Rename[], { rows, tools }: IndexedTables): readonly FactChange[] {
  return renames.map(({ kind, from, to, likeness }) => {
    const isAnew =
      kind === "session" &&
      rows.some(({ session, quotas }) => session === to && quotas.some((quota) => isPersistentQuota(quota)));
    const service = tools.find(({ name }) => name === to)?.provider;
    const owner =
      kind === "session" || kind === "service"
        ? ({ kind, name: to } as const)
        : service === undefined
          ? undefined
          : ({ kind: "service", name: service } as const);
    return {
      direction: "moved",
      widens: isAnew || likeness !== undefined,
      what: [
        likeness === undefined ? `${kind} renamed` : `${kind} probably renamed`,
        ...(likeness === undefined ? [] : describeLikeness(likeness)),
        ...(KEPT_BY_NAME.includes(kind) ? [LEFT] : []),
        ...(isAnew ? [ANEW] : []),
      ].join("; "),
      before: from,
      after: to,
      details: [],
      ...(owner === undefined ? {} : { owner }),
      owners: owner === undefined ? [] : [owner],
      places: [""],
    };
  });
}

function describeLikeness({ shared, total }: Likeness): readonly string[] {
  return [
    `${shared} of ${total} properties are equal, and the changes below compare the others`,
    "if it is another one, all that it may do is new",
  ];
}

const LEFT = "its data on the disk stays under the old name";
const ANEW = "quotas by day and principal begin anew";

/** Returns whether a change only reports a new name. */
export function isRename({ what }: Pick<FactChange, "what">): boolean {
  return /^(?:level|compartment|service|tool|session) (?:probably )?renamed/.test(what);
}

/** Kind of a change, by which changes are counted and listed. */
export type ChangeKind = Direction | "renamed";

/** Returns the kind of a change. Renames are a kind of their own, whatever their direction is. */
export function kindOf(change: Pick<FactChange, "what" | "direction">): ChangeKind {
  return isRename(change) ? "renamed" : change.direction;
}

/** Returns whether a change reports a probable rename: the thing has a new name and other changes. */
export function isLikely({ what }: Pick<FactChange, "what">): boolean {
  return isRename({ what }) && what.includes(" probably renamed");
}
