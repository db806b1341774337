// Lays out a table of markdown in columns, as the console of an image does. It changes only blanks and the dashes below the header:
// every other character stays in its cell.

import { countColumns } from "./width.ts";

/**
 * Maximum rows of a table that are held back until the widths of its columns are known; `MOST_CHARACTERS` limits the
 * characters in the same way.
 */
export const MOST_ROWS = 100;
export const MOST_CHARACTERS = 16 * 1024;
/** Maximum columns of a table; a table with more is not laid out. */
const MOST_COLUMNS = 24;
/** Minimum width to which a column shrinks; a table that needs narrower columns is not laid out. */
const LEAST_COLUMN = 8;
const LEAST_DRAWN = 3;
/** Columns of the terminal for the blanks around a cell, and for the line before the cell. */
const AROUND = 3;

type Side = "left" | "centre" | "right";

/** Returns whether a row is the one below a header: `|---|:-:|`. */
export function isDelimiter(row: string): boolean {
  return splitCells(row).every((cell) => findSide(cell) !== undefined);
}

/** Returns the rows of a table in at most `room` columns, or `undefined` if the text is not a table or does not fit. */
export function layOutTable(text: string, room: number): readonly string[] | undefined {
  const lines = text.replace(/\n$/, "").split("\n");
  const rows = lines.map(splitCells);
  const [, delimiter] = rows;
  if (delimiter === undefined || !isDelimiter(lines[1] ?? "")) return undefined;
  const count = Math.max(...rows.map((row) => row.length));
  if (count > MOST_COLUMNS) return undefined;
  const places = Array.from({ length: count }, (_, at) => at);
  const body = rows.filter((_, index) => index !== 1);
  const natural = places.map((at) => Math.max(LEAST_DRAWN, ...body.map((row) => countColumns(row[at] ?? ""))));
  const widths = shrinkColumns(natural, room - AROUND * count - 1);
  if (widths === undefined) return undefined;
  return rows.flatMap((row, index) => {
    if (index === 1) return [drawDelimiter(widths, delimiter)];
    const wrapped = places.map((at) => wrapCell(row[at] ?? "", widths[at] ?? 0));
    const height = Math.max(...wrapped.map((cell) => cell.length));
    return Array.from({ length: height }, (_, line) => {
      const cells = places.map((at) => {
        const cell = wrapped[at]?.[line] ?? "";
        return `| ${padCell(cell, (widths[at] ?? 0) - countColumns(cell), findSide(delimiter[at] ?? "") ?? "left")} `;
      });
      return `${cells.join("")}|`;
    });
  });
}

/** Returns the cells of a row without the blanks around them; `\|` does not separate cells. */
function splitCells(row: string): readonly string[] {
  const text = row.trim().replace(/^\|/, "");
  const cells = [...text.matchAll(/((?:\\[\s\S]|[^|\\])*\\?)(\||$)/g)].map(([, cell = ""]) => cell.trim());
  // The empty match after the last `|` of a row is not a cell.
  return cells.length > 1 && cells.at(-1) === "" ? cells.slice(0, -1) : cells;
}

function findSide(cell: string): Side | undefined {
  const [, left, right] = /^(:?)-+(:?)$/.exec(cell) ?? [];
  if (left === undefined) return undefined;
  return right === ":" ? (left === ":" ? "centre" : "right") : "left";
}

/**
 * Returns widths that together fill at most `room` columns: the widest columns shrink first. Returns `undefined` if
 * even columns of at most `LEAST_COLUMN` do not fit.
 */
function shrinkColumns(natural: readonly number[], room: number): readonly number[] | undefined {
  const most = Math.max(...natural);
  const capAt = (cap: number) => natural.map((width) => Math.min(width, cap));
  for (let cap = most; cap >= Math.min(LEAST_COLUMN, most); cap -= 1)
    if (capAt(cap).reduce((sum, width) => sum + width, 0) <= room) return capAt(cap);
  return undefined;
}

/** Splits a cell into lines of at most `most` columns: between words, or inside of a word that is longer. */
function wrapCell(cell: string, most: number): readonly string[] {
  const lines: string[] = [];
  let [line, used] = ["", 0];
  const end = (): void => {
    lines.push(line.trimEnd());
    [line, used] = ["", 0];
  };
  for (const word of cell.match(/[^ ]* |[^ ]+$/g) ?? []) {
    const wanted = countColumns(word.trimEnd());
    if (used > 0 && used + wanted > most && wanted <= most) end();
    for (const character of word) {
      const columns = countColumns(character);
      if (used + columns > most && used > 0) {
        if (character === " ") continue;
        end();
      }
      line += character;
      used += columns;
    }
  }
  end();
  return lines;
}

function padCell(cell: string, free: number, side: Side): string {
  const before = side === "left" ? 0 : side === "right" ? free : Math.trunc(free / 2);
  return `${" ".repeat(before)}${cell}${" ".repeat(free - before)}`;
}

function drawDelimiter(widths: readonly number[], cells: readonly string[]): string {
  const drawn = widths.map((width, at) => {
    const cell = cells[at] ?? "";
    return `|${cell.startsWith(":") ? ":" : "-"}${"-".repeat(width)}${cell.endsWith(":") ? ":" : "-"}`;
  });
  return `${drawn.join("")}|`;
}
