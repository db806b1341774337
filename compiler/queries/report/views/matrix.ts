// Builds the matrix. It has a line for each tool, and a column for each place of conversations.

import type { Row, Tool } from "../../../../engine/lib/wire/generated/policy.ts";
import { MODES } from "../../../../lang/grammar/index.ts";
import { compareCodeUnits } from "../../../../lang/text/index.ts";
import { formatRowPath } from "../../../phases/policy/index.ts";
import { type Direction, placeKey } from "../../diff/index.ts";
import type { Subject } from "../subject.ts";
import { type CellWords, describeCell } from "./cells.ts";

interface MatrixView {
  readonly columns: readonly ColumnView[];
  readonly groups: readonly GroupView[];
  readonly tools: number;
  /** Whether there is a comparison with an older page. */
  readonly changed: boolean;
  /** Whether at least one cell is allowed, but no conversation can use it. */
  readonly unused: boolean;
  readonly gates: readonly string[];
  readonly categories: readonly string[];
}

interface ColumnView {
  readonly path: string;
  readonly session: string;
  /** Names of the task, the phase and the worker, joined by dots; a name that does not apply is left out. */
  readonly within: string;
}

/** Tools of one provider. */
interface GroupView {
  readonly provider: string;
  readonly span: number;
  readonly tools: readonly ToolRowView[];
}

interface ToolRowView {
  readonly index: number;
  readonly name: string;
  readonly category: string;
  readonly networked: boolean;
  readonly cells: readonly CellView[];
}

interface CellView extends CellWords {
  /** Change of the cell; null if it did not change. */
  readonly change: { readonly sign: string; readonly direction: Direction } | null;
  /** Whether the lines of the cell allow the tool, but no conversation can use it. */
  readonly dead: boolean;
}

const SIGNS: Readonly<Record<Direction, string>> = { widened: "▲", moved: "◆", narrowed: "▼" };

export function buildMatrixView({ tables, dead, changes }: Subject): MatrixView {
  const { tools, rows, categories } = tables;
  const unused = new Set(dead.map(({ row, tool }) => `${row} ${tool}`));
  const changed = new Map(changes?.cells.map((cell) => [`${placeKey(cell.place)}\n${cell.tool}`, cell.direction]));
  const keys = rows.map(placeKey);
  // Cells with the same decision are rendered once.
  const words = new Map<number, CellWords>();
  const getWords = (cell: number): CellWords => {
    const known = words.get(cell) ?? describeCell(tables.decisions, cell);
    words.set(cell, known);
    return known;
  };
  const getCategory = ({ category }: Tool): string => categories[category]?.name ?? "";
  const buildRow = (tool: Tool, index: number): ToolRowView => ({
    index,
    name: tool.name,
    category: getCategory(tool),
    networked: tool.networked,
    cells: rows.map((row, at) => {
      const direction = changed.get(`${keys[at]}\n${tool.name}`);
      const change = direction === undefined ? null : { sign: SIGNS[direction], direction };
      return { ...getWords(row.cells[index] ?? 0), change, dead: unused.has(`${at} ${index}`) };
    }),
  });
  return {
    columns: rows.map(buildColumnView),
    groups: groupByProvider(tools.map(buildRow), tools, rows.length + 1),
    tools: tools.length,
    changed: changes !== undefined,
    unused: dead.length > 0,
    gates: MODES,
    categories: [...new Set(tools.map(getCategory))].sort(compareCodeUnits),
  };
}

function buildColumnView(row: Row): ColumnView {
  const { session, task, phase, worker } = row;
  return { path: formatRowPath(row), session, within: [task, phase, worker].filter((part) => part !== "").join(".") };
}

/**
 * Groups lines by provider. The tools of a provider are adjacent, because tools are sorted by name, and names begin
 * with the provider's name.
 */
function groupByProvider(lines: readonly ToolRowView[], tools: readonly Tool[], span: number): readonly GroupView[] {
  const groups: { provider: string; span: number; tools: ToolRowView[] }[] = [];
  for (const line of lines) {
    const provider = tools[line.index]?.provider ?? "";
    const last = groups.at(-1);
    if (last?.provider === provider) last.tools.push(line);
    else groups.push({ provider, span, tools: [line] });
  }
  return groups;
}
