// Compares categories of two pages by effects that cells do not show: which quotas count calls, whether consent is
// remembered, and whether calls may change something. Rules about a category are left out, because the cells of its
// tools show them.

import { type IndexedTables, mayBeRemembered } from "../../../engine/lib/policy/index.ts";
import type { Measure } from "./facts.ts";

const READ_ONLY = "readOnly";

/**
 * Returns the measure by which two versions of a category are compared. Its members are the category and its parents,
 * because quotas may count these. It also has `asked anew` if consent covers only one call, and `an effect` if calls
 * may change something.
 */
export function measureCategory(
  tables: IndexedTables,
  category: number,
  isReadOnly = isRead(tables, category),
): Measure {
  const names = tables.lineage[category] ?? new Set();
  const other = [...(isAskedAnew(tables, category) ? ["asked anew"] : []), ...(isReadOnly ? [] : ["an effect"])];
  return {
    kind: "bounds",
    asks: new Set([...names.intersection(collectCountedCategories(tables)), ...other]),
    has: new Set([...names, ...other]),
  };
}

export function isRead({ lineage }: IndexedTables, category: number): boolean {
  return lineage[category]?.has(READ_ONLY) === true;
}

/** Returns whether no row remembers consent to calls of the category, so that consent covers only one call. */
export function isAskedAnew(tables: IndexedTables, category: number): boolean {
  return !tables.rows.some((row) => mayBeRemembered(tables, row, { category, networked: false }));
}

const counted = new WeakMap<IndexedTables, ReadonlySet<string>>();

/** Returns the categories whose calls are counted. The result is stored, because each changed tool needs it. */
function collectCountedCategories(tables: IndexedTables): ReadonlySet<string> {
  const known =
    counted.get(tables) ??
    new Set(collectQuotas(tables).flatMap(({ unit, name }) => (unit === "category" ? [name] : [])));
  counted.set(tables, known);
  return known;
}

function collectQuotas({ rows, backends }: IndexedTables) {
  return [...rows, ...backends].flatMap(({ quotas }) => quotas);
}
