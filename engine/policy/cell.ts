// What stands in a cell of the tables, a tool in a row, looked up once: for each call there is then little left to look at.
import type { Decision as DecisionList, Row } from "../wire/generated/policy.ts";
import { type Outline, outlineOf } from "./at-sight.ts";
import { type Standing, standingOf } from "./flow.ts";
import { type Ruled, settledOf } from "./mode.ts";
import { reasonOf } from "./reason.ts";
import { FIRST_DECISION, type IndexedTables } from "./tables.ts";

/** All that a decision needs of a tool that is offered in a row. Cells that are alike are one object. */
export interface Cell extends Standing {
  readonly row: Row;
  readonly list: DecisionList;
  /** Where no line asks what the arguments say, so that to see that they fit is enough. */
  readonly outline: Outline | undefined;
  /** What the list says, where that depends on nothing. */
  readonly settled: Settled | undefined;
}

interface Settled extends Ruled {
  /** The sentence of whoever passes its gate. */
  readonly reason: string;
}

interface Found {
  /** By row, then by tool. A row is empty until its first cell is asked for. */
  readonly rows: readonly (Cell | undefined)[][];
  readonly alike: Map<string, Cell>;
}

/** Hung on the very tables: who changes some makes others, and leaves behind what was found in these. */
const FOUND = new WeakMap<IndexedTables, Found>();

/** Nothing where there is no such row or tool, and where the tool is suppressed or covered by no line. */
export function cellOf(tables: IndexedTables, row: number, tool: number): Cell | undefined {
  return FOUND.get(tables)?.rows[row]?.[tool] ?? look(tables, row, tool);
}

function look(tables: IndexedTables, rowIndex: number, toolIndex: number): Cell | undefined {
  const row = tables.rows[rowIndex];
  const tool = tables.tools[toolIndex];
  const value = row?.cells[toolIndex] ?? 0;
  const list = tables.decisions[value - FIRST_DECISION];
  if (row === undefined || tool === undefined || list === undefined) return undefined;
  const asksArguments = list.clauses.some(({ conditions }) => conditions.length > 0);
  const outline = asksArguments ? undefined : outlineOf(tool.params);
  const ruled = settledOf(list);
  const settled = ruled && { ...ruled, reason: reasonOf(tables, ruled) };
  const cell: Cell = { row, list, outline, settled, ...standingOf(tool, row) };
  return kept(tables, [rowIndex, toolIndex], cell);
}

function kept(tables: IndexedTables, [row, tool]: readonly [row: number, tool: number], cell: Cell): Cell {
  const found = FOUND.get(tables) ?? { rows: tables.rows.map(() => []), alike: new Map<string, Cell>() };
  FOUND.set(tables, found);
  const cells = found.rows[row] ?? [];
  // With a place for each tool from the beginning it stays a plain list, however tools are asked for.
  if (cells.length === 0) for (let at = 0; at < tables.tools.length; at += 1) cells.push(undefined);
  const { outline, sink, isUnseen } = cell;
  const label = sink && [sink.confidentiality, sink.integrity, String(sink.compartments)];
  const value = tables.rows[row]?.cells[tool];
  const key = JSON.stringify([row, value, outline?.pattern.source, outline?.most, label, isUnseen]);
  const one = found.alike.get(key) ?? cell;
  found.alike.set(key, one);
  cells[tool] = one;
  return one;
}
