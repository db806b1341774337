// How often a page of a file lies in the memory of a machine, whose memory is a file.

import { closeSync, openSync, readSync } from "node:fs";

const PAGE = 4096;
const PIECE = 256 * PAGE;

/** Pages in the midst of a file that hold numbers and not a header: some that are like no other. */
export function selectSamples(file: Buffer, count: number): readonly Buffer[] {
  const pages = Math.floor(file.length / PAGE);
  return Array.from({ length: count }, (_, index) => {
    const at = Math.floor(((index + 1) * pages) / (count + 1)) * PAGE;
    return file.subarray(at, at + PAGE);
  });
}

/** For each page, how many pages of the memory are the same. */
export function countCopies(memory: string, pages: readonly Buffer[]): readonly number[] {
  const found = pages.map(() => 0);
  const piece = Buffer.alloc(PIECE);
  const descriptor = openSync(memory, "r");
  try {
    for (let from = 0; readSync(descriptor, piece, 0, PIECE, from) === PIECE; from += PIECE)
      for (let at = 0; at < PIECE; at += PAGE)
        for (const [index, page] of pages.entries())
          if (piece.compare(page, 0, PAGE, at, at + PAGE) === 0) found[index] = (found[index] ?? 0) + 1;
  } finally {
    closeSync(descriptor);
  }
  return found;
}
