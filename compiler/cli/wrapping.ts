// Wraps text for a terminal, because a terminal itself would break lines within words and without an indent.

const FEWEST_COLUMNS = 40;

/**
 * Returns the rows of a line. Rows break at blanks. Columns of a line are separated by several blanks; a continued row
 * is indented to the last column, or by four blanks if this column is in the right half. A word that is longer than a
 * row is not broken. Without `columns`, or if the terminal is very narrow, the line is one row.
 */
export function wrapLine(line: string, columns: number | undefined): readonly string[] {
  if (columns === undefined || columns < FEWEST_COLUMNS || line.length <= columns) return [line];
  const column = /^(?: *(?:\S+ )*\S+ {2,})+(?=\S)|^ */.exec(line)?.[0].length ?? 0;
  const indent = column > columns / 2 ? 4 : column;
  const [first = "", ...more] = wrap(line.slice(column), columns - column, columns - indent);
  return [`${line.slice(0, column)}${first}`, ...more.map((row) => `${" ".repeat(indent)}${row}`)];
}

/** Breaks a text at its blanks. A word that is longer than a line stays whole. */
export function wrap(text: string, first: number, rest = first): string[] {
  const rows: string[] = [];
  let row = "";
  for (const word of text.split(/(?<=\S) (?=\S)/)) {
    const limit = rows.length === 0 ? first : rest;
    if (row !== "" && row.length + 1 + word.length > limit) {
      rows.push(row);
      row = word;
    } else row = row === "" ? word : `${row} ${word}`;
  }
  return [...rows, row];
}
