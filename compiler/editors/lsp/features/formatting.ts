import type { Range, TextEdit } from "vscode-languageserver/node";
import { formatFile } from "../../../../lang/format/index.ts";
import { type ScanResult, scan } from "../../../../lang/grammar/index.ts";
import { createSourceText, makeSpan, type SourceText } from "../../../../lang/text/index.ts";
import type { ReadText } from "../asking.ts";
import { convertToRange } from "../places.ts";

/**
 * Returns the edits of `capc fmt`; for a range, only the edits that touch it. Returns none if the page has a syntax error. The edits change
 * only white space: each edit replaces one gap between two words.
 */
export async function computeFormatting({ source, scanned }: ReadText, within?: Range): Promise<TextEdit[]> {
  const formatted = await formatFile(source);
  if (!formatted.ok) return [];
  const before = findGaps(scanned);
  const after = findGaps(scan(createSourceText(source.path, formatted.value)));
  return before.flatMap(({ start, end, text }, index): TextEdit[] => {
    const newText = after[index]?.text ?? "";
    if (newText === text) return [];
    const range = convertToRange(makeSpan(source, start, end));
    return within === undefined || isTouching(range, within) ? [{ range, newText }] : [];
  });
}

interface Gap {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Returns the gaps between words and comments, also the gap before the first one and the gap after the last one. */
function findGaps({ source, tokens, docs, comments }: ScanResult): Gap[] {
  const words = Array.from({ length: tokens.count }, (_, index) => ({
    start: tokens.start(index),
    end: tokens.end(index),
  }));
  const all = [...words, ...[...docs, ...comments].map((comment) => trimBlanks(source, comment))];
  const pieces = all.sort((left, right) => left.start - right.start);
  const ends = [0, ...pieces.map(({ end }) => end)];
  const starts = [...pieces.map(({ start }) => start), source.text.length];
  return ends.map((start, index) => {
    const end = starts[index] ?? start;
    return { start, end, text: source.text.slice(start, end) };
  });
}

/** Returns the range of a comment without the blanks at its end, which do not belong to the comment. */
function trimBlanks({ text }: SourceText, { start, end }: { readonly start: number; readonly end: number }) {
  return { start, end: start + text.slice(start, end).trimEnd().length };
}

function isTouching(range: Range, within: Range): boolean {
  return !isBefore(range.end, within.start) && !isBefore(within.end, range.start);
}

function isBefore(left: Range["start"], right: Range["start"]): boolean {
  return left.line < right.line || (left.line === right.line && left.character < right.character);
}
