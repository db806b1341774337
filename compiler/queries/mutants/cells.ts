import { FIRST_DECISION } from "../../../engine/lib/policy/index.ts";
import type { Row } from "../../../engine/lib/wire/generated/policy.ts";
import { getLine, type Mutant, type Original, replaceLists } from "./mutant.ts";
import { createVariations } from "./variations.ts";

/**
 * Returns mutants of the cells that lines decide. In each row, cells with one decision list and one category change together, because no
 * line of the page distinguishes them.
 */
export function createCellMutants(original: Original): readonly Mutant[] {
  const { tables } = original;
  const variations = tables.decisions.map(createVariations);
  return tables.rows.flatMap((row, index) =>
    groupCells(original, row).flatMap(({ cell, tools }) =>
      (variations[cell - FIRST_DECISION] ?? []).map(({ kind, change, rule, list }): Mutant => {
        const changed = replaceLists(tables, index, tools, () => list);
        const line = getLine(original, rule);
        return { kind, change, line, rows: [index], tools, reach: "calls", tables: changed };
      }),
    ),
  );
}

interface CellClass {
  readonly cell: number;
  readonly tools: readonly number[];
}

/** Returns groups of equal cells; empty for a row that requires a task, because no call runs outside of tasks there. */
function groupCells({ tables }: Original, row: Row): readonly CellClass[] {
  if (row.requiresTask) return [];
  const decided = [...tables.tools.keys()].filter((tool) => (row.cells[tool] ?? 0) >= FIRST_DECISION);
  const classes = Map.groupBy(decided, (tool) => `${row.cells[tool]} ${tables.tools[tool]?.category}`);
  return [...classes.values()].map((tools) => ({ cell: row.cells[tools[0] ?? 0] ?? 0, tools }));
}
