// A cell of the tables is a tool in a row. A cell's contents are looked up once, so that a call needs few look-ups.

import type { Decision as DecisionList, Row, Tool } from "../wire/generated/policy.ts";
import { computeStanding, type FlowStatus } from "./flow.ts";
import { listConditions } from "./lines.ts";
import { findSettledMode, type RuledMode } from "./mode.ts";
import { buildOutline, type Outline } from "./plain-arguments.ts";
import { renderReason } from "./reason.ts";
import { FIRST_DECISION, type IndexedTables } from "./tables.ts";

/** Data that a decision needs about a tool that is offered in a row. Equal cells are the same object. */
export interface Cell extends FlowStatus {
  readonly row: Row;
  /** One of the tools that share this cell. They have equal parameters and categories, but different names. */
  readonly tool: Pick<Tool, "params" | "category">;
  readonly list: DecisionList;
  /**
   * Quick test for arguments that certainly fit the parameters. It is `undefined` if a rule has a condition on the
   * arguments, or if no quick test is possible.
   */
  readonly outline: Outline | undefined;
  /**
   * Mode that the decision list gives to every call, with the reason that a person reads at the gate. It is `undefined`
   * if the mode depends on arguments or the conversation.
   */
  readonly settled: (RuledMode & { readonly reason: string }) | undefined;
}

interface Found {
  /** Cells by row, then by tool. A row is empty until its first cell is requested. */
  readonly rows: readonly (Cell | undefined)[][];
  readonly alike: Map<string, Cell>;
}

/** Cache of the cells of each tables object. Such an object never changes: changed tables are a new object. */
const FOUND = new WeakMap<IndexedTables, Found>();

/** Returns the cell, or `undefined` if the row or the tool does not exist, or the tool is suppressed or uncovered. */
export function findCell(tables: IndexedTables, row: number, tool: number): Cell | undefined {
  return FOUND.get(tables)?.rows[row]?.[tool] ?? look(tables, row, tool);
}

function look(tables: IndexedTables, rowIndex: number, toolIndex: number): Cell | undefined {
  const row = tables.rows[rowIndex];
  const tool = tables.tools[toolIndex];
  const value = row?.cells[toolIndex] ?? 0;
  const list = tables.decisions[value - FIRST_DECISION];
  if (row === undefined || tool === undefined || list === undefined) return undefined;
  const found = FOUND.get(tables) ?? { rows: tables.rows.map(() => []), alike: new Map<string, Cell>() };
  FOUND.set(tables, found);
  const standing = computeStanding(tool, row);
  const key = serializeKey([rowIndex, value, tool.category, tool.params, standing]);
  const cell = found.alike.get(key) ?? makeCell(tables, row, tool, list);
  found.alike.set(key, cell);
  const cells = found.rows[rowIndex] ?? [];
  // Every tool has a slot from the beginning, so the array is dense, in whatever order tools are requested.
  if (cells.length === 0) for (let at = 0; at < tables.tools.length; at += 1) cells.push(undefined);
  cells[toolIndex] = cell;
  return cell;
}

function serializeKey(parts: readonly unknown[]): string {
  return JSON.stringify(parts, (_, part) => (typeof part === "bigint" ? String(part) : part));
}

function makeCell(tables: IndexedTables, row: Row, tool: Tool, list: DecisionList): Cell {
  const outline = listConditions(list).length > 0 ? undefined : buildOutline(tool.params);
  const ruled = findSettledMode(list);
  const settled = ruled && { ...ruled, reason: renderReason(tables, ruled) };
  return { row, tool, list, outline, settled, ...computeStanding(tool, row) };
}
