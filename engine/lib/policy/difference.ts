// Finds differences between two tables: of a page before and after a change, or of tables and a copy with one rule changed.
import type { Decision, Row } from "../wire/generated/policy.ts";
import { formatRowName } from "./coherence.ts";
import { findList, renderLists } from "./decision-text.ts";
import { chooseAdvertisedMode } from "./mode.ts";
import { listReleaseChanges } from "./release-changes.ts";
import { formatRowPath } from "./row-path.ts";
import type { IndexedTables } from "./tables.ts";

/** A changed tool or quota of a row. `before` and `after` are texts of the tool's decision, or amounts of the quota. */
export interface RowChange {
  /** Session, task and phase: `operator`, `operator.triage.look`. */
  readonly place: string;
  /** Name of a tool, or the text of a quota. */
  readonly what: string;
  readonly before: string;
  readonly after: string;
}

/** Returns the changes in all rows that both versions of the policy tables have, in the order of rows and tools. */
export function diffTables(before: IndexedTables, after: IndexedTables): RowChange[] {
  // A worker and a task may have the same name, so the key has the names of both.
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
    const [first, second] = [findList(before, old, was), findList(after, row, index)];
    // If `after` is a copy of `before` with one changed rule, most cells are the same objects. Skip them: the gate runs
    // without a JIT compiler, so it would take too long to serialize all cells.
    if (isReleasedAlike && first === second) return [];
    const place = formatRowPath(row);
    const released = isReleasedAlike
      ? []
      : listReleaseChanges({ tables: before, row: old, tool: was }, { tables: after, row, tool: index });
    const others = released.map((change) => ({ place, what: name, ...change }));
    if (serializeMeaning(first) === serializeMeaning(second)) return others;
    const [then, now] = [describeStanding(before, old, was), describeStanding(after, row, index)];
    if (then !== now) return [{ place, what: name, before: then, after: now }, ...others];
    // The displayed mode of a list is its strictest mode, so this mode may stay the same although some calls are decided more
    // loosely.
    return [{ place, what: name, ...renderChanged(first, second) }, ...others];
  });
}

/**
 * Returns the texts of two decisions that differ. The texts leave out the labels of a `when`. If the texts are equal
 * for this reason, the second text adds that other conditions apply.
 */
export function renderChanged(
  old: Decision | undefined,
  now: Decision | undefined,
): Pick<RowChange, "before" | "after"> {
  const [before, after] = renderLists(old, now);
  return { before, after: before === after ? `${after}, under other conditions` : after };
}

/**
 * Returns whether both rows have identical releases. Equal indexes do not suffice: a changed copy of the tables may
 * have another release at the same index.
 */
function hasSameReleases(before: IndexedTables, old: Row, after: IndexedTables, row: Row): boolean {
  const [was, now] = [old.releases, row.releases];
  return was.length === now.length && was.every((one, at) => before.releases[one] === after.releases[now[at] ?? -1]);
}

/** Returns a text that is equal for lists that decide alike; it leaves out places and numbers of rules. */
export function serializeMeaning(list: Decision | undefined): string {
  const omitRule = ({ rule: _, ...rest }: { readonly rule: number }) => rest;
  const all = { clauses: list?.clauses.map(omitRule), floors: list?.floors.map(omitRule) };
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
 * Returns the index of a quota among the quotas of its row that count the same, such as calls per hour. The old row and
 * the new row list such quotas in the same order, that of the session first, so equal indexes belong together.
 */
function countBefore(row: Row, index: number, key: (quota: Row["quotas"][number]) => string): number {
  const quota = row.quotas[index];
  return quota === undefined ? 0 : row.quotas.slice(0, index).filter((one) => key(one) === key(quota)).length;
}
