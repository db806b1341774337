import { alignRun, type Cells, findWidest } from "./columns.ts";
import { fillLines } from "./fill.ts";
import { splitCells } from "./flat.ts";
import type { Element, Entry, Token } from "./outline.ts";
import { INDENT, WIDTH } from "./width.ts";

/** An entry with the lines to print. `cells` is present if the entry fits on one line. */
interface Row {
  readonly isComment: boolean;
  readonly blankBefore: boolean;
  readonly cells?: Cells;
  readonly lines: readonly string[];
  readonly trailing: string | undefined;
}

/** Returns the lines of a page, or the lines between the braces of a block. */
export function printLines(entries: readonly Entry[], indent: string): string[] {
  const rows = entries.map((entry) => createRow(entry, indent));
  return alignTrailing(alignRows(rows, indent)).flatMap(({ blankBefore, lines }) =>
    blankBefore ? ["", ...lines] : lines,
  );
}

function createRow(entry: Entry, indent: string): Row {
  const { blankBefore } = entry;
  if (entry.kind === "comment")
    return { isComment: true, blankBefore, lines: [indent + entry.comment.text], trailing: undefined };
  const { element } = entry;
  const cells = splitCells(element);
  const text = cells?.cells.join(" ") ?? "";
  if (cells !== undefined && indent.length + text.length <= WIDTH) {
    return { isComment: false, blankBefore, cells, lines: [indent + text], trailing: element.trailing?.text };
  }
  return { isComment: false, blankBefore, lines: breakElement(element, indent), trailing: element.trailing?.text };
}

function breakElement({ head, block, tail }: Element, indent: string): string[] {
  if (block === undefined) return fillLines(head, indent);
  const open = fillLines([...head, createBrace("{", block.start)], indent);
  const comment = block.opening === undefined ? "" : `  ${block.opening.text}`;
  const close = fillLines([createBrace("}", block.end - 1), ...tail], indent);
  return [
    ...open.slice(0, -1),
    `${open.at(-1) ?? ""}${comment}`,
    ...printLines(block.entries, indent + INDENT),
    ...close,
  ];
}

function createBrace(kind: "{" | "}", start: number): Token {
  return { kind, text: kind, start, end: start + 1 };
}

/** Aligns rows of one shape; comments between the rows do not separate them. */
function alignRows(rows: readonly Row[], indent: string): Row[] {
  const isSame = (row: Row, before: Row): boolean => row.cells !== undefined && row.cells.shape === before.cells?.shape;
  return splitRuns(rows, isSame, (row) => row.isComment).flatMap((run) => {
    const lines = alignRun(
      run.flatMap((row) => row.cells ?? []),
      indent,
    );
    let next = 0;
    return run.map((row) => (row.cells === undefined ? row : { ...row, lines: [indent + (lines[next++] ?? "")] }));
  });
}

/** Aligns comments after consecutive lines. */
function alignTrailing(rows: readonly Row[]): Row[] {
  return splitRuns(rows, (row, before) => hasTrailing(row) && hasTrailing(before)).flatMap((run) => {
    const width = findWidest(run, (row) => row.lines.at(-1)?.length ?? 0);
    const fits = run.every(({ trailing }) => width + 2 + (trailing?.length ?? 0) <= WIDTH);
    return run.map((row) => ({ ...row, lines: appendComment(row, fits ? width : 0) }));
  });
}

function hasTrailing({ cells, trailing }: Row): boolean {
  return cells !== undefined && trailing !== undefined;
}

function appendComment({ lines, trailing }: Row, width: number): readonly string[] {
  if (trailing === undefined) return lines;
  return lines.map((line, index) => (index + 1 < lines.length ? line : `${line.padEnd(width)}  ${trailing}`));
}

/**
 * Splits rows into runs. A new run begins after a blank line, and at each row for which `goes` is false, which compares
 * it with the previous row. Rows for which `passesOver` is true are not compared with any row, and never begin a new
 * run without a blank line.
 */
function splitRuns(
  rows: readonly Row[],
  goes: (row: Row, before: Row) => boolean,
  passesOver: (row: Row) => boolean = () => false,
): Row[][] {
  const runs: Row[][] = [];
  let before: Row | undefined;
  for (const row of rows) {
    const run = runs.at(-1);
    const joins = passesOver(row) || before === undefined || goes(row, before);
    if (run !== undefined && !row.blankBefore && joins) run.push(row);
    else {
      runs.push([row]);
      before = undefined;
    }
    if (!passesOver(row)) before = row;
  }
  return runs;
}
