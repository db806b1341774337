// Applies a reported difference to the decisions of the older tables. Tests compare the result with the newer tables,
// to check that the report is complete.

import { FIRST_DECISION, type IndexedTables } from "../../../../engine/lib/policy/index.ts";
import type { CellChange } from "../cells.ts";
import { type NormalizedDecision, normalizeDecision } from "../normalize.ts";
import { placeKey } from "../places.ts";

/** Meaning of each decision, by place and tool. A tool that does not exist has no entry. */
type CellTexts = ReadonlyMap<string, NormalizedDecision>;

export function cellTexts(tables: IndexedTables): CellTexts {
  return new Map(
    tables.rows.flatMap((row) =>
      tables.tools.flatMap(({ name }, index): [string, NormalizedDecision][] => {
        const list = tables.decisions[(row.cells[index] ?? 0) - FIRST_DECISION];
        return list === undefined ? [] : [[cellKey(placeKey(row), name), normalizeDecision(list, tables.lattice)]];
      }),
    ),
  );
}

export function cellKey(place: string, tool: string): string {
  return `${place} ${tool}`;
}

/** Returns the decisions of the older tables after every reported change. */
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
