import type { Range, TextEdit } from "vscode-languageserver/node";
import { formatFile } from "../../../../lang/format/index.ts";
import { type Scanned, scan } from "../../../../lang/grammar/index.ts";
import { type SourceText, sourceText, span } from "../../../../lang/text/index.ts";
import type { ReadText } from "../asking.ts";
import { rangeOf } from "../places.ts";

/**
 * What `capc fmt` changes: blanks and line ends alone, so that each edit is one gap between two words, and what stands in
 * between is not touched. Within a range only the gaps that touch it. Nothing of a page that has a syntax error.
 */
export async function formattingOf({ source, scanned }: ReadText, within?: Range): Promise<TextEdit[]> {
  const formatted = await formatFile(source);
  if (!formatted.ok) return [];
  const before = gapsIn(scanned);
  const after = gapsIn(scan(sourceText(source.path, formatted.value)));
  return before.flatMap(({ start, end, text }, index): TextEdit[] => {
    const newText = after[index]?.text ?? "";
    if (newText === text) return [];
    const range = rangeOf(span(source, start, end));
    return within === undefined || touches(range, within) ? [{ range, newText }] : [];
  });
}

interface Gap {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** What stands between words and comments, before the first and behind the last. */
function gapsIn({ source, tokens, docs, comments }: Scanned): Gap[] {
  const words = Array.from({ length: tokens.count }, (_, index) => ({
    start: tokens.start(index),
    end: tokens.end(index),
  }));
  const all = [...words, ...[...docs, ...comments].map((comment) => withoutBlanks(source, comment))];
  const pieces = all.sort((left, right) => left.start - right.start);
  const ends = [0, ...pieces.map(({ end }) => end)];
  const starts = [...pieces.map(({ start }) => start), source.text.length];
  return ends.map((start, index) => {
    const end = starts[index] ?? start;
    return { start, end, text: source.text.slice(start, end) };
  });
}

/** Blanks at the end of a comment are none of it. */
function withoutBlanks({ text }: SourceText, { start, end }: { readonly start: number; readonly end: number }) {
  return { start, end: start + text.slice(start, end).trimEnd().length };
}

function touches(range: Range, within: Range): boolean {
  return !isBefore(range.end, within.start) && !isBefore(within.end, range.start);
}

function isBefore(left: Range["start"], right: Range["start"]): boolean {
  return left.line < right.line || (left.line === right.line && left.character < right.character);
}
