// Caches cells of the tables, so that a call needs few look-ups. A cell is one tool in one row: a session, task, phase or worker.

import type { Decision as DecisionList, Row, Tool } from "../wire/generated/policy.ts";
import { computeStanding, type FlowStatus } from "./flow.ts";
import { listConditions } from "./lines.ts";
import { findSettledMode, type RuledMode } from "./mode.ts";
import { buildOutline, type Outline } from "./plain-arguments.ts";
import { renderReason } from "./reason.ts";
import { FIRST_DECISION, type IndexedTables } from "./tables.ts";

/** Data that a decision needs about a tool in a row. Equal cells are the same object. */
export interface Cell extends FlowStatus {
  readonly row: Row;
  /** One of the tools that share this cell. They have equal arguments and categories, but different names. */
  readonly tool: Pick<Tool, "params" | "category">;
  readonly list: DecisionList;
  /** Fast pattern for valid arguments; `undefined` if a rule has a condition on the arguments, or if no pattern can describe them. */
  readonly outline: Outline | undefined;
  /** Mode and reason, if they depend neither on the arguments nor on the conversation. The gate shows the reason to the person. */
  readonly settled: (RuledMode & { readonly reason: string }) | undefined;
}

interface Found {
  /** Cells by row, then by tool. A row is empty until its first cell is requested. */
  readonly rows: readonly (Cell | undefined)[][];
  readonly alike: Map<string, Cell>;
}

/** The cache is keyed by the tables object, so that changed tables, which are a new object, never use old cells. */
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
  // The array is filled first, so that it stays dense in whatever order tools are requested.
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
