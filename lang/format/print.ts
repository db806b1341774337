import { aligned, type Cells, widest } from "./columns.ts";
import { filled } from "./fill.ts";
import { cellsOf } from "./flat.ts";
import type { Element, Entry, Token } from "./outline.ts";
import { INDENT, WIDTH } from "./width.ts";

/** An entry as it is printed: on one line, by its cells, or on several lines. */
interface Row {
  readonly isComment: boolean;
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
  if (entry.kind === "comment")
    return { isComment: true, blankBefore, lines: [indent + entry.comment.text], trailing: undefined };
  const { element } = entry;
  const cells = cellsOf(element);
  const text = cells?.cells.join(" ") ?? "";
  if (cells !== undefined && indent.length + text.length <= WIDTH) {
    return { isComment: false, blankBefore, cells, lines: [indent + text], trailing: element.trailing?.text };
  }
  return { isComment: false, blankBefore, lines: broken(element, indent), trailing: element.trailing?.text };
}

function broken({ head, block, tail }: Element, indent: string): string[] {
  if (block === undefined) return filled(head, indent);
  const open = filled([...head, brace("{", block.start)], indent);
  const comment = block.opening === undefined ? "" : `  ${block.opening.text}`;
  const close = filled([brace("}", block.end - 1), ...tail], indent);
  return [...open.slice(0, -1), `${open.at(-1) ?? ""}${comment}`, ...linesOf(block.entries, indent + INDENT), ...close];
}

function brace(kind: "{" | "}", start: number): Token {
  return { kind, text: kind, start, end: start + 1 };
}

/** Rows of one shape are aligned; comments between them, docs above all, do not part them. */
function inColumns(rows: readonly Row[], indent: string): Row[] {
  const isSame = (row: Row, before: Row): boolean => row.cells !== undefined && row.cells.shape === before.cells?.shape;
  return runsOf(rows, isSame, (row) => row.isComment).flatMap((run) => {
    const lines = aligned(
      run.flatMap((row) => row.cells ?? []),
      indent,
    );
    let next = 0;
    return run.map((row) => (row.cells === undefined ? row : { ...row, lines: [indent + (lines[next++] ?? "")] }));
  });
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

/** Splits rows where a blank line stands, or where a row does not go with the last one before it that is not passed over. */
function runsOf(
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
