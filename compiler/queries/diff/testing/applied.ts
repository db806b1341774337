// Applies a reported difference to the cells of the older tables, so that tests can check whether a report is complete.

import { findList, type IndexedTables } from "../../../../engine/lib/policy/index.ts";
import type { CellChange } from "../cells.ts";
import { type NormalizedDecision, normalizeDecision } from "../normalize.ts";
import { placeKey } from "../places.ts";

/** Decision of each cell, by row and tool; a cell without lines is left out. */
type CellTexts = ReadonlyMap<string, NormalizedDecision>;

export function cellTexts(tables: IndexedTables): CellTexts {
  return new Map(
    tables.rows.flatMap((row) =>
      tables.tools.flatMap(({ name }, index): [string, NormalizedDecision][] => {
        const list = findList(tables, row, index);
        return list === undefined ? [] : [[cellKey(placeKey(row), name), normalizeDecision(list, tables.lattice)]];
      }),
    ),
  );
}

export function cellKey(place: string, tool: string): string {
  return `${place} ${tool}`;
}

/** Returns the cells of the older tables with every reported change made. */
export function applied(cells: CellTexts, changes: readonly CellChange[]): CellTexts {
  const made = new Map(cells);
  for (const { at, after } of changes) {
    for (const { place, tools } of at) {
      for (const tool of tools) {
        const key = cellKey(placeKey(place), tool);
        if (after === undefined) made.delete(key);
        else made.set(key, after);
      }
    }
  }
  return made;
}
