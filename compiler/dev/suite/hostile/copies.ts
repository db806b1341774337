// Counts copies of a file's pages in a machine's memory, which is a file on the host.

import { closeSync, openSync, readSync } from "node:fs";

const PAGE = 4096;
const PIECE = 256 * PAGE;

/**
 * Returns pages from the middle of a file. They contain numbers and no header, and each of them differs from all
 * others.
 */
export function selectSamples(file: Buffer, count: number): readonly Buffer[] {
  const pages = Math.floor(file.length / PAGE);
  return Array.from({ length: count }, (_, index) => {
    const at = Math.floor(((index + 1) * pages) / (count + 1)) * PAGE;
    return file.subarray(at, at + PAGE);
  });
}

/** Returns the number of equal pages in memory for each page. */
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
