// Finds levels, compartments, services, tools, backends, sessions and tasks of which only the name differs between two tables. A new name counts as a rename
// only if everything else is equal: with the new name, the older tables have no difference that concerns the renamed thing.

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
 * Returns the renames that turn names of `before` into those of `after`: levels and compartments first, then services,
 * tools, backends, sessions and tasks.
 */
export function findRenames(before: IndexedTables, after: IndexedTables): readonly Rename[] {
  const found: Rename[] = [];
  let tables = before;
  for (const propose of PROPOSALS) {
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

/**
 * Functions that propose renames, in the order in which they are called. Backends come before the sessions that use
 * them, and sessions before their tasks.
 */
const PROPOSALS = [
  proposeLevels,
  proposeCompartments,
  proposeServices,
  proposeTools,
  proposeBackends,
  proposeSessions,
  proposeTasks,
];

/** Returns the levels with new names at the same positions. A level has no meaning except its position, so nothing else has to be compared. */
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
    // The rows of tasks are not compared, because the tasks of a renamed session may be renamed, too.
    const [one, other] = [before.get(from) ?? [], after.get(to) ?? []].map((of) =>
      of.filter(({ task }) => task === ""),
    );
    return describeRows(one ?? []) === describeRows(other ?? []) ? [{ kind: "session", from, to }] : [];
  });
}

function describeRows(rows: readonly Row[]): string {
  return serializeValue(rows.map(({ worker, kind }) => [worker, kind]));
}

function proposeBackends({ backends: old }: IndexedTables, { backends: now }: IndexedTables): readonly Rename[] {
  const shapes = (backends: IndexedTables["backends"]) =>
    new Map(backends.map(({ name, kind, local }) => [name, serializeValue([kind, local])]));
  const [before, after] = [shapes(old), shapes(now)];
  return pairNames([...before.keys()], [...after.keys()]).flatMap(([from, to]): readonly Rename[] =>
    before.get(from) === after.get(to) ? [{ kind: "backend", from, to }] : [],
  );
}

function proposeTasks({ rows: old }: IndexedTables, { rows: now }: IndexedTables): readonly Rename[] {
  const group = (rows: readonly Row[]) =>
    Map.groupBy(
      rows.filter(({ task }) => task !== ""),
      ({ task }) => task,
    );
  const [before, after] = [group(old), group(now)];
  return pairNames([...before.keys()], [...after.keys()]).flatMap(([from, to]): readonly Rename[] => {
    const [one, other] = [before.get(from) ?? [], after.get(to) ?? []];
    return describeTaskRows(one) === describeTaskRows(other) ? [{ kind: "task", from, to }] : [];
  });
}

function describeTaskRows(rows: readonly Row[]): string {
  // The rows are sorted, because the rows of a renamed session are still in their old order.
  return rows
    .map(({ session, phase, worker, parameters }) => serializeValue([session, phase, worker, parameters]))
    .sort()
    .join();
}

/** Returns all pairs of a removed name and a new name. */
export function pairNames(before: readonly string[], after: readonly string[]): readonly (readonly [string, string])[] {
  const [old, now] = [new Set(before), new Set(after)];
  const fresh = after.filter((name) => !old.has(name));
  const gone = before.filter((name) => !now.has(name));
  // With thousands of removed and new names, the pairs would be too many to try, so none is returned.
  if (gone.length * fresh.length > MOST_PAIRS ** 2) return [];
  return gone.flatMap((from) => fresh.map((to) => [from, to] as const));
}

/** Returns whether the renamed thing has no other change in the newer tables. */
function isWholeRename(named: IndexedTables, newer: IndexedTables, { kind, to }: Rename): boolean {
  if (kind === "level" || kind === "compartment") return true;
  // Rows that only one side has are left out, because their session or task may be renamed, too. They are compared when
  // that rename is tried.
  const isOfRows = kind === "session" || kind === "task";
  const [renamed, after] =
    kind === "task"
      ? [named, newer]
      : [
          keepRows(named, newer, kind === "session" ? "tasks" : "all"),
          keepRows(newer, named, kind === "session" ? "tasks" : "all"),
        ];
  const isOfTool = (name: string) => (kind === "tool" ? name === to : kind === "service" && name.startsWith(`${to}.`));
  const taskPaths = kind === "task" ? listTaskPaths(newer, to) : [];
  const isOfFact = ({ places, owners, what }: FactChange) => {
    switch (kind) {
      case "session":
        return (
          owners.some((owner) => owner.kind === "session" && owner.name === to) ||
          places.some((place) => place === to || place.startsWith(`${to}.`))
        );
      case "task":
        return places.some((place) => taskPaths.some((path) => place === path || place.startsWith(`${path}.`)));
      case "backend":
        // The aspect of a fact about a row can contain the name of a backend, for example in a fact about the backend's
        // gate.
        return places.includes(`backend ${to}`) || what.split(/[\s,]+/).includes(to);
      default:
        return places.some((place) => place.startsWith("tool ") && isOfTool(place.slice("tool ".length)));
    }
  };
  const isOfCells = diffCells(renamed, after).some(
    ({ at, direction }) =>
      direction !== "alike" && at.some(({ place, tools }) => (isOfRows ? place[kind] === to : tools.some(isOfTool))),
  );
  return !isOfCells && !diffFacts(collectFacts(renamed, after), collectFacts(after, renamed)).some(isOfFact);
}

/** Returns the paths of a task in all sessions, such as `operator.triage`. */
function listTaskPaths({ rows }: IndexedTables, name: string): readonly string[] {
  return [...new Set(rows.flatMap(({ session, task }) => (task === name ? [`${session}.${task}`] : [])))];
}

/** Returns the tables without the rows that the other tables do not have; with `tasks`, removes only rows of tasks. */
function keepRows(tables: IndexedTables, other: IndexedTables, of: "all" | "tasks"): IndexedTables {
  const there = new Set(other.rows.map(placeKey));
  const rows = tables.rows.filter((row) => there.has(placeKey(row)) || (of === "tasks" && row.task === ""));
  return { ...tables, rows, ingresses: [] };
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
  const ofBackend = [`backend ${to}`, `process model.${to}`, `file replies.${to}`];
  const places = [`${kind} ${to}`, `process ${to}`, `file program.${to}`, `file methods.${to}`];
  return changes
    .filter((change) => !isRename(change))
    .some(
      (change) =>
        change.owners.some((owner) => owner.kind === kind && owner.name === to) ||
        ((kind === "service" || kind === "tool") && change.places.some((place) => places.includes(place))) ||
        (kind === "backend" && change.places.some((place) => ofBackend.includes(place))) ||
        (kind === "task" && change.places.some((place) => place.split(".").slice(1).includes(to))),
    );
}

/** Kinds of renames after which data on the disk is still stored under the old name. */
const KEPT_BY_NAME: readonly Rename["kind"][] = ["service", "session"];

/**
 * Returns the changes that report renames. A new name alone gives no authority. But the data disk stores counters under the old name: a
 * renamed session, task or backend starts its counters per day or principal at 0, so this rename may allow more. A probable rename may be a new thing, so it
 * counts as a widening.
 */
export function describeRenames(renames: readonly Rename[], tables: IndexedTables): readonly FactChange[] {
  return renames.map(({ kind, from, to, likeness }) => {
    const isAnew = beginsCounters(tables, kind, to);
    const service = tables.tools.find(({ name }) => name === to)?.provider;
    const owner =
      kind === "session" || kind === "service" || kind === "backend"
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

/** Returns whether the data disk counts quotas under the name, so that a new name begins them anew. */
function beginsCounters({ rows, backends }: IndexedTables, kind: Rename["kind"], to: string): boolean {
  const counting =
    kind === "backend"
      ? backends.filter(({ name }) => name === to)
      : rows.filter(({ session, task }) => (kind === "session" && session === to) || (kind === "task" && task === to));
  return counting.some(({ quotas }) => quotas.some((quota) => isPersistentQuota(quota)));
}

/** Maximum number of differing properties that are named. */
const MOST_DIFFERING = 6;

function describeLikeness({ shared, total, differing }: Likeness): readonly string[] {
  const named = differing.slice(0, MOST_DIFFERING).join(", ");
  const more = differing.length > MOST_DIFFERING ? ` and ${differing.length - MOST_DIFFERING} more` : "";
  return [
    `${shared} of ${total} properties are equal, and the changes below compare the others: ${named}${more}`,
    "if it is another one, all that it may do is new",
  ];
}

const LEFT = "its data on the disk stays under the old name";
const ANEW = "quotas by day and principal begin anew";

/** Returns whether a change only reports a new name. */
export function isRename({ what }: Pick<FactChange, "what">): boolean {
  return /^(?:level|compartment|service|tool|backend|session|task|test) (?:probably )?renamed/.test(what);
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
