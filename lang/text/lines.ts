import { countWhile } from "./binary-search.ts";

/** A line and a column, both counted from 1; the column counts UTF-16 code units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Returns the offsets at which lines start. Only `\n` ends a line, as for git, grep and sed; in `\r\n` the `\n` ends the line. */
export function findLineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/**
 * Returns the position of an offset, by binary search. An offset after the end of the text gives a column after the end of the last
 * line.
 */
export function findPosition(starts: readonly number[], offset: number): Position {
  const line = Math.max(
    1,
    countWhile(starts.length, (index) => (starts[index] ?? 0) <= offset),
  );
  return { line, column: Math.max(0, offset - (starts[line - 1] ?? 0)) + 1 };
}
