// What two tables say differently: of a page and of the same page after a change, or of tables and a copy with one line changed.
import type { Row } from "../wire/generated/policy.ts";
import { rowName } from "./coherence.ts";
import { advertisedMode } from "./mode.ts";
import { rowPath } from "./row-path.ts";
import { FIRST_DECISION, type IndexedTables } from "./tables.ts";

/** A tool, or a quota, of a row that means something else than before. */
export interface Moved {
  /** session, task and phase: `operator`, `operator.triage.look`. */
  readonly place: string;
  /** Name of a tool, or a quota's words. */
  readonly what: string;
  readonly before: string;
  readonly after: string;
}

/** All that two tables say differently, in the order of rows and tools. */
export function movedBetween(before: IndexedTables, after: IndexedTables): Moved[] {
  // A worker and a task may be called alike.
  const rows = new Map(before.rows.map((row) => [rowName(row), row]));
  return after.rows.flatMap((row) => {
    const old = rows.get(rowName(row));
    return old === undefined ? [] : [...movedTools(before, old, after, row), ...movedQuotas(before, old, after, row)];
  });
}

function movedTools(before: IndexedTables, old: Row, after: IndexedTables, row: Row): Moved[] {
  const isReleasedAlike = hasSameReleases(before, old, after, row);
  return after.tools.flatMap(({ name }, index): Moved[] => {
    const was = before.toolIndex.get(name) ?? -1;
    // Of a copy most cells are the very ones: a gate without a compiler has no time to write them all out.
    const isTheSame = isReleasedAlike && listIn(before, old, was) === listIn(after, row, index);
    if (isTheSame || meaningOf(before, old, was) === meaningOf(after, row, index)) return [];
    const [then, now] = [standingOf(before, old, was), standingOf(after, row, index)];
    return [
      { place: rowPath(row), what: name, before: then, after: then === now ? `${now}, under other conditions` : now },
    ];
  });
}

/** The very releases, and not only the same numbers of them: a copy may have another one in its place. */
function hasSameReleases(before: IndexedTables, old: Row, after: IndexedTables, row: Row): boolean {
  const [was, now] = [old.releases, row.releases];
  return was.length === now.length && was.every((one, at) => before.releases[one] === after.releases[now[at] ?? -1]);
}

function listIn(tables: IndexedTables, row: Row, tool: number) {
  return tables.decisions[(row.cells[tool] ?? 0) - FIRST_DECISION];
}

/** Equal for cells that decide alike: places and numbers of rules have no part in it. */
function meaningOf(tables: IndexedTables, row: Row, tool: number): string {
  const list = listIn(tables, row, tool);
  const plain = ({ rule: _, ...rest }: { readonly rule: number }) => rest;
  const releases = row.releases.flatMap((index) => {
    const release = tables.releases[index];
    if (!release?.tools.includes(tool)) return [];
    const { tools: _, rule: __, ...rest } = release;
    return [rest];
  });
  const all = { clauses: list?.clauses.map(plain), floors: list?.floors.map(plain), releases };
  return JSON.stringify(all, (_, part: unknown) => (typeof part === "bigint" ? `${part}n` : part));
}

function standingOf(tables: IndexedTables, row: Row, tool: number): string {
  const list = listIn(tables, row, tool);
  return list === undefined ? "unknownTool" : advertisedMode(list, row.starts, false);
}

function movedQuotas(before: IndexedTables, old: Row, after: IndexedTables, row: Row): Moved[] {
  const key = (quota: Row["quotas"][number]) => `${quota.unit} ${quota.name} ${quota.scope}`;
  return row.quotas.flatMap((quota, index): Moved[] => {
    const was = old.quotas.filter((one) => key(one) === key(quota))[countBefore(row, index, key)];
    if (was === undefined || was.amount === quota.amount) return [];
    const what = before.rules[was.rule]?.words ?? after.rules[quota.rule]?.words ?? "";
    return [{ place: rowPath(row), what, before: String(was.amount), after: String(quota.amount) }];
  });
}

/** Of quotas that count the same, which one this is: the order of both rows is that of their owners. */
function countBefore(row: Row, index: number, key: (quota: Row["quotas"][number]) => string): number {
  const quota = row.quotas[index];
  return quota === undefined ? 0 : row.quotas.slice(0, index).filter((one) => key(one) === key(quota)).length;
}
