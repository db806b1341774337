// Wraps lines for a terminal, because a terminal breaks lines within words and without an indent.

const FEWEST_COLUMNS = 40;

/**
 * Returns the rows of a line. Rows break at blanks, and continue below the last column of the line, which begins after several blanks. A
 * word that is longer than a row is not broken. Without `columns`, or if the terminal is very narrow, the line is one row.
 */
export function wrapLine(line: string, columns: number | undefined): readonly string[] {
  if (columns === undefined || columns < FEWEST_COLUMNS || line.length <= columns) return [line];
  const column = /^(?: *(?:\S+ )*\S+ {2,})+(?=\S)|^ */.exec(line)?.[0].length ?? 0;
  const indent = column > columns / 2 ? 4 : column;
  const rows: string[] = [];
  for (let rest = line; ; ) {
    const space = rest.length <= columns ? -1 : findBreak(rest, rows.length === 0 ? column : indent, columns);
    if (space < 0) return [...rows, rest];
    rows.push(rest.slice(0, space));
    rest = `${" ".repeat(indent)}${rest.slice(space).trimStart()}`;
  }
}

/** Returns the last blank that leaves a row of at most `columns`, or the first one after it; -1 if there is none after `least`. */
function findBreak(text: string, least: number, columns: number): number {
  const before = text.lastIndexOf(" ", columns);
  return before > least ? before : text.indexOf(" ", Math.max(columns, least + 1));
}
