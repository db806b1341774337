// Finds differences between two tables: of a page before and after a change, or of tables and a copy with one rule changed.
import type { Condition, Decision, Row } from "../wire/generated/policy.ts";
import { formatRowName } from "./coherence.ts";
import { renderCondition } from "./condition-text.ts";
import { chooseAdvertisedMode } from "./mode.ts";
import { formatRowPath } from "./row-path.ts";
import { FIRST_DECISION, type IndexedTables } from "./tables.ts";

/** A tool or a quota of a row whose meaning changed. */
export interface RowChange {
  /** Session, task and phase: `operator`, `operator.triage.look`. */
  readonly place: string;
  /** Name of a tool, or the text of a quota. */
  readonly what: string;
  readonly before: string;
  readonly after: string;
}

/** Returns all differences of two tables, in the order of rows and tools. */
export function diffTables(before: IndexedTables, after: IndexedTables): RowChange[] {
  // A worker and a task may have the same name.
  const rows = new Map(before.rows.map((row) => [formatRowName(row), row]));
  return after.rows.flatMap((row) => {
    const old = rows.get(formatRowName(row));
    return old === undefined ? [] : [...diffTools(before, old, after, row), ...diffQuotas(before, old, after, row)];
  });
}

function diffTools(before: IndexedTables, old: Row, after: IndexedTables, row: Row): RowChange[] {
  const isReleasedAlike = hasSameReleases(before, old, after, row);
  return after.tools.flatMap(({ name }, index): RowChange[] => {
    const was = before.toolIndex.get(name) ?? -1;
    // In a copy most cells are identical objects; without a compiler the gate has no time to serialize all of them.
    const isTheSame = isReleasedAlike && findList(before, old, was) === findList(after, row, index);
    if (isTheSame || serializeMeaning(before, old, was) === serializeMeaning(after, row, index)) return [];
    const place = formatRowPath(row);
    const [then, now] = [describeStanding(before, old, was), describeStanding(after, row, index)];
    if (then !== now) return [{ place, what: name, before: then, after: now }];
    // The displayed mode of a list is its strictest mode, so this mode may stay the same although some calls are decided more
    // loosely.
    const [first, second] = [renderList(findList(before, old, was)), renderList(findList(after, row, index))];
    return first === second
      ? [{ place, what: name, before: then, after: `${now}, under other conditions` }]
      : [{ place, what: name, before: first, after: second }];
  });
}

/** Returns whether both rows have identical releases. Equal indexes do not suffice: a copy may have another release at the same index. */
function hasSameReleases(before: IndexedTables, old: Row, after: IndexedTables, row: Row): boolean {
  const [was, now] = [old.releases, row.releases];
  return was.length === now.length && was.every((one, at) => before.releases[one] === after.releases[now[at] ?? -1]);
}

/** Returns the decision about a tool in a row; `undefined` if the tool does not exist there. */
export function findList(tables: IndexedTables, row: Row, tool: number) {
  return tables.decisions[(row.cells[tool] ?? 0) - FIRST_DECISION];
}

/** Returns a text that is equal for cells that decide alike; it leaves out places and numbers of rules. */
export function serializeMeaning(tables: IndexedTables, row: Row, tool: number): string {
  const list = findList(tables, row, tool);
  const omitRule = ({ rule: _, ...rest }: { readonly rule: number }) => rest;
  const releases = row.releases.flatMap((index) => {
    const release = tables.releases[index];
    if (!release?.tools.includes(tool)) return [];
    const { tools: _, rule: __, ...rest } = release;
    return [rest];
  });
  const all = { clauses: list?.clauses.map(omitRule), floors: list?.floors.map(omitRule), releases };
  return JSON.stringify(all, (_, part: unknown) => (typeof part === "bigint" ? `${part}n` : part));
}

function describeStanding(tables: IndexedTables, row: Row, tool: number): string {
  const list = findList(tables, row, tool);
  return list === undefined ? "unknownTool" : chooseAdvertisedMode(list, { label: row.starts, unattended: false });
}

function diffQuotas(before: IndexedTables, old: Row, after: IndexedTables, row: Row): RowChange[] {
  const formatQuotaKey = (quota: Row["quotas"][number]) => `${quota.unit} ${quota.name} ${quota.scope}`;
  return row.quotas.flatMap((quota, index): RowChange[] => {
    const was = old.quotas.filter((one) => formatQuotaKey(one) === formatQuotaKey(quota))[
      countBefore(row, index, formatQuotaKey)
    ];
    if (was === undefined || was.amount === quota.amount) return [];
    const what = before.rules[was.rule]?.words ?? after.rules[quota.rule]?.words ?? "";
    return [{ place: formatRowPath(row), what, before: String(was.amount), after: String(quota.amount) }];
  });
}

/**
 * Returns the index of a quota among the quotas of its row that count the same thing. In the old row and in the new
 * row, quotas are ordered by their owners.
 */
function countBefore(row: Row, index: number, key: (quota: Row["quotas"][number]) => string): number {
  const quota = row.quotas[index];
  return quota === undefined ? 0 : row.quotas.slice(0, index).filter((one) => key(one) === key(quota)).length;
}

/** Returns a decision as text: `consent where path under "/b" else forbidden; at least stepUp if a "when" holds`. */
export function renderList(list: Decision | undefined): string {
  if (list === undefined) return "unknownTool";
  const clauses = list.clauses.map(({ conditions, met, otherwise }) =>
    conditions.length === 0 || met === otherwise ? met : `${met} where ${renderAll(conditions)} else ${otherwise}`,
  );
  const floors = list.floors.map(
    ({ conditions, mode }) =>
      `at least ${mode} under a \`when\`${conditions.length === 0 ? "" : ` where ${renderAll(conditions)}`}`,
  );
  return [...new Set([...clauses, ...floors])].join("; ");
}

function renderAll(conditions: readonly Condition[]): string {
  return conditions.map(renderCondition).join(" and ");
}
