// Lays out a screen of 80 columns: names at the left, text wrapped beside them.

import { formatTable } from "../../artefacts/inspect/description.ts";
import type { Paint } from "../colour.ts";
import { wrap } from "../wrapping.ts";

export const WIDTH = 80;
/** Maximum number of rows of one list; `--json` prints all rows. */
export const MOST_ROWS = 12;
/** Width of the column of names; the text begins after the column. */
const NAME_WIDTH = 14;

/** A line of the screen and its colour. */
export interface Line {
  readonly text: string;
  readonly colour?: keyof Paint;
}

export function makeSection(title: string, rows: readonly string[]): readonly Line[] {
  return [{ text: "" }, { text: title, colour: "strong" }, ...rows.map((row) => ({ text: `  ${row}` }))];
}

/** Returns a text with a name at its left, wrapped to the right of the column of names. */
export function renderNamed(name: string, text: string): string[] {
  const head = name.length < NAME_WIDTH ? name.padEnd(NAME_WIDTH) : `${name} `;
  const [first = "", ...more] = wrap(text, WIDTH - 2 - Math.max(NAME_WIDTH, head.length), WIDTH - 2 - NAME_WIDTH);
  return [`${head}${first}`, ...more.map((row) => `${" ".repeat(NAME_WIDTH)}${row}`)];
}

/** Returns a table with a name at its left. The last column is wrapped. */
export function renderTable(name: string, rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return renderNamed(name, "none");
  const shown = rows.slice(0, MOST_ROWS);
  const heads = formatTable(shown.map((row) => [...row.slice(0, -1), ""]));
  const at = NAME_WIDTH + (heads[0]?.length ?? 0);
  const table = shown.flatMap((row, index) => {
    const left = `${(index === 0 ? name : "").padEnd(NAME_WIDTH)}${heads[index]}`;
    const text = row.at(-1) ?? "";
    const room = WIDTH - 2 - at;
    // If a word of the text is too long for its column, the text is on the next line, which has more room.
    if (text.split(" ").some((word) => word.length > room)) return [left, ...renderNamed("", `  ${text}`)];
    const [first = "", ...more] = wrap(text, room);
    return [`${left}${first}`, ...more.map((rest) => `${" ".repeat(at)}${rest}`)];
  });
  return rows.length > MOST_ROWS
    ? [...table, ...renderNamed("", `and ${rows.length - MOST_ROWS} more: --json has them`)]
    : table;
}

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];

/** Returns a size as a whole number, or with one decimal place if it is below ten: `4.9 KiB`, `136 MiB`. */
export function formatBytes(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 1024 && unit < UNITS.length - 1) {
    size /= 1024;
    unit += 1;
  }
  const digits = Number.isInteger(size) || size >= 10 ? Math.round(size).toString() : size.toFixed(1);
  return `${digits} ${UNITS[unit]}`;
}
