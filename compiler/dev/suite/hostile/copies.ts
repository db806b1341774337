// Counts how often the bytes of a file's memory page occur in the memory of a machine. The memory of the machine is a
// file, too.

import { closeSync, openSync, readSync } from "node:fs";

const PAGE = 4096;
const PIECE = 256 * PAGE;

/** Returns memory pages from the middle of a file. They contain weights and no header, and no two pages are equal. */
export function selectSamples(file: Buffer, count: number): readonly Buffer[] {
  const pages = Math.floor(file.length / PAGE);
  return Array.from({ length: count }, (_, index) => {
    const at = Math.floor(((index + 1) * pages) / (count + 1)) * PAGE;
    return file.subarray(at, at + PAGE);
  });
}

/** Returns, for each of the pages, the number of equal pages in memory. */
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
