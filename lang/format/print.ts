import { aligned, type Cells, widest } from "./columns.ts";
import { filled } from "./fill.ts";
import { cellsOf } from "./flat.ts";
import type { Element, Entry } from "./outline.ts";
import { INDENT, WIDTH } from "./width.ts";

/** An entry as it is printed: on one line, by its cells, or on several lines. */
interface Row {
  readonly blankBefore: boolean;
  readonly cells?: Cells;
  readonly lines: readonly string[];
  readonly trailing: string | undefined;
}

/** The lines of a block's inside, or of a page. */
export function linesOf(entries: readonly Entry[], indent: string): string[] {
  const rows = entries.map((entry) => rowOf(entry, indent));
  return withTrailing(inColumns(rows, indent)).flatMap(({ blankBefore, lines }) =>
    blankBefore ? ["", ...lines] : lines,
  );
}

function rowOf(entry: Entry, indent: string): Row {
  const { blankBefore } = entry;
  if (entry.kind === "comment") return { blankBefore, lines: [indent + entry.text], trailing: undefined };
  const { element } = entry;
  const cells = cellsOf(element);
  const text = cells?.cells.join(" ") ?? "";
  if (cells !== undefined && indent.length + text.length <= WIDTH) {
    return { blankBefore, cells, lines: [indent + text], trailing: element.trailing };
  }
  return { blankBefore, lines: broken(element, indent), trailing: element.trailing };
}

function broken({ head, block, tail }: Element, indent: string): string[] {
  if (block === undefined) return filled(head, indent);
  const open = filled([...head, { kind: "{", text: "{" }], indent);
  const comment = block.opening === undefined ? "" : `  ${block.opening}`;
  const close = filled([{ kind: "}", text: "}" }, ...tail], indent);
  return [...open.slice(0, -1), `${open.at(-1) ?? ""}${comment}`, ...linesOf(block.entries, indent + INDENT), ...close];
}

/** Rows of one shape with nothing between them are aligned. */
function inColumns(rows: readonly Row[], indent: string): Row[] {
  return runsOf(rows, (row, before) => row.cells !== undefined && row.cells.shape === before.cells?.shape).flatMap(
    (run) => {
      const cells = run.flatMap((row) => row.cells ?? []);
      if (cells.length < 2) return run;
      const lines = aligned(cells, indent);
      return run.map((row, index) => ({ ...row, lines: [indent + (lines[index] ?? "")] }));
    },
  );
}

/** Comments behind lines that follow each other stand below each other. */
function withTrailing(rows: readonly Row[]): Row[] {
  return runsOf(rows, (row, before) => hasTrailing(row) && hasTrailing(before)).flatMap((run) => {
    const width = widest(run, (row) => row.lines.at(-1)?.length ?? 0);
    const fits = run.every(({ trailing }) => width + 2 + (trailing?.length ?? 0) <= WIDTH);
    return run.map((row) => ({ ...row, lines: commented(row, fits ? width : 0) }));
  });
}

function hasTrailing({ cells, trailing }: Row): boolean {
  return cells !== undefined && trailing !== undefined;
}

function commented({ lines, trailing }: Row, width: number): readonly string[] {
  if (trailing === undefined) return lines;
  return lines.map((line, index) => (index + 1 < lines.length ? line : `${line.padEnd(width)}  ${trailing}`));
}

/** Splits rows where a blank line stands, or where a row does not go with the one before it. */
function runsOf(rows: readonly Row[], goes: (row: Row, before: Row) => boolean): Row[][] {
  const runs: Row[][] = [];
  for (const row of rows) {
    const run = runs.at(-1);
    const before = run?.at(-1);
    if (run !== undefined && before !== undefined && !row.blankBefore && goes(row, before)) run.push(row);
    else runs.push([row]);
  }
  return runs;
}
