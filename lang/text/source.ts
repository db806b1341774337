import { findLineStarts, findPosition, type Position } from "./lines.ts";

/** One source file that passed the bounds check. Offsets are UTF-16 code units into `text`. */
export interface SourceText {
  /** Path for the reader of a message: relative to the package root, or `std/NAME.cap`. */
  readonly path: string;
  readonly text: string;
  /** Returns the line and column of an offset, both from 1, columns in UTF-16 code units (as editors count). */
  readonly position: (offset: number) => Position;
  /** Returns the text of a line (from 1) without its line ending. */
  readonly line: (number: number) => string;
}

export function createSourceText(path: string, text: string): SourceText {
  // The index of lines is made when a message first needs it, because a file of one mebibyte can have a million lines.
  let starts: readonly number[] | undefined;
  const index = (): readonly number[] => {
    starts ??= findLineStarts(text);
    return starts;
  };
  return {
    path,
    text,
    position: (offset) => findPosition(index(), offset),
    line: (number) => {
      const start = index()[number - 1] ?? text.length;
      const end = index()[number] ?? text.length + 1;
      return text.slice(start, end).replace(/\r?\n$/, "");
    },
  };
}
