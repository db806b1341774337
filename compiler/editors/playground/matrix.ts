import {
  beginIn,
  chooseAdvertisedMode,
  computeStrictestMode,
  FIRST_DECISION,
  formatRowPath,
  type IndexedTables,
  SUPPRESSED,
} from "../../../engine/lib/policy/index.ts";
import type { Row } from "../../../engine/lib/wire/generated/policy.ts";
import type { Cell, Matrix, Place } from "./protocol.ts";

/** Maximum number of tools in the table. A browser would need seconds to draw more, and people could not read it. */
const MOST_TOOLS = 300;
const MOST_PLACES = 40;

/**
 * Returns the decisions of the tables as a matrix. The matrix contains only tools that at least one place has, in the
 * order of the tables.
 */
export function createMatrix(tables: IndexedTables): Matrix {
  const rows = tables.rows.slice(0, MOST_PLACES);
  const had = tables.tools
    .map(({ name }, index) => ({ name, index }))
    .filter(({ index }) => rows.some(({ cells }) => (cells[index] ?? SUPPRESSED) !== SUPPRESSED));
  const shown = had.slice(0, MOST_TOOLS);
  return {
    places: rows.map(placeOf),
    rows: shown.map(({ name, index }) => ({
      tool: name,
      cells: rows.map((row, at) => createCell(tables, row, at, index)),
    })),
    left: { places: tables.rows.length - rows.length, tools: had.length - shown.length },
  };
}

function placeOf(row: Row): Place {
  const { session, task, phase, worker } = row;
  const asked = { session, ...(task === "" ? {} : { task }), ...(phase === "" ? {} : { phase }) };
  return { name: formatRowPath(row), asked: worker === "" ? asked : undefined };
}

function createCell(tables: IndexedTables, row: Row, at: number, tool: number): Cell {
  const cell = row.cells[tool] ?? SUPPRESSED;
  if (cell === SUPPRESSED) return { mode: "hidden", strictest: undefined };
  const list = tables.decisions[cell - FIRST_DECISION];
  if (list === undefined) return { mode: "none", strictest: undefined };
  const { label, unattended } = beginIn(row, at);
  const mode = chooseAdvertisedMode(list, { label, unattended });
  const strictest = computeStrictestMode(list, { label, unattended });
  return { mode, strictest: strictest === mode ? undefined : strictest };
}
