import { WIDTH } from "./width.ts";

// Aligns columns: in consecutive lines of one shape, the cells begin at the same columns.

/**
 * A line in parts (cells). In consecutive lines of the same shape, the first cells form a column, the second cells
 * another one, and so on.
 */
export interface Cells {
  readonly shape: string;
  readonly cells: readonly string[];
}

/**
 * Returns one text for each line of `run`, with its cells aligned in columns. If a line would become too long, none of
 * the lines is aligned.
 */
export function alignRun(run: readonly Cells[], indent: string): readonly string[] {
  const columns = findWidest(run, ({ cells }) => cells.length);
  const widths = Array.from({ length: columns }, (_, column) => measureColumn(run, column));
  const lines = run.map(({ cells }) => cells.map((cell, column) => padCell(cells, cell, column, widths)).join(" "));
  const fits = lines.every((line) => indent.length + line.length <= WIDTH);
  return fits ? lines : run.map(({ cells }) => cells.join(" "));
}

/**
 * Returns the width of the widest cell of a column. Lines whose last cell is in this column do not count. Returns 0 if
 * a line would get a gap that is too wide to read.
 */
function measureColumn(run: readonly Cells[], column: number): number {
  const lengths = run.filter(({ cells }) => cells.length > column + 1).map(({ cells }) => cells[column]?.length ?? 0);
  const most = findWidest(lengths, (length) => length);
  const least = lengths.reduce((shortest, length) => Math.min(shortest, length), most);
  return most - least > WIDEST_GAP ? 0 : most;
}

const WIDEST_GAP = 14;

function padCell(cells: readonly string[], cell: string, column: number, widths: readonly number[]): string {
  return column + 1 < cells.length ? cell.padEnd(widths[column] ?? 0) : cell;
}

/**
 * Returns the largest width of the elements, or 0 if there are none. The function does not use `Math.max(...)`, because the lines
 * of a page of one mebibyte do not fit on the stack as arguments.
 */
export function findWidest<T>(elements: readonly T[], width: (element: T) => number): number {
  return elements.reduce((most, element) => Math.max(most, width(element)), 0);
}
