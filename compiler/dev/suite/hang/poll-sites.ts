// Finds the addresses in a machine's memory at which a program waits. These addresses follow its calls of `poll`, on
// memory pages that equal pages of the program's file.

import { readSync } from "node:fs";

const PAGE = 4096;
/** Code that calls `poll` on x86-64: `mov $7, %eax; syscall`. */
const POLL = Buffer.from("b8070000000f05", "hex");
/** Code that never continues: it calls `pause` in an endless loop, because `pause` returns at each signal. */
export const FOR_EVER = Buffer.from("b8220000000f05ebf7", "hex");

/** The offset to which a call of `poll` in a program returns, and the memory page that contains it. */
interface Site {
  readonly page: Buffer;
  /** Offset in the memory page. */
  readonly at: number;
}

/**
 * Returns the sites in a program. A call near the end of a memory page is omitted if the new code would not fit into
 * that page.
 */
export function pollSites(program: Buffer): readonly Site[] {
  const sites: Site[] = [];
  for (let found = program.indexOf(POLL); found >= 0; found = program.indexOf(POLL, found + 1)) {
    const [start, at] = [found - (found % PAGE), (found % PAGE) + POLL.length];
    const page = program.subarray(start, start + PAGE);
    if (page.length === PAGE && at + FOR_EVER.length <= PAGE) sites.push({ page, at });
  }
  return sites;
}

const PIECE = 256 * PAGE;

/**
 * Searches a dump of the machine's memory for the sites, and returns their physical addresses. `memory` is the file
 * descriptor of the dump, which begins at address 0.
 */
export function findAddresses(sites: readonly Site[], memory: number): readonly number[] {
  const addresses: number[] = [];
  const piece = Buffer.alloc(PIECE);
  for (let from = 0; readSync(memory, piece, 0, PIECE, from) === PIECE; from += PIECE)
    for (let page = 0; page < PIECE; page += PAGE)
      for (const site of sites)
        if (piece.compare(site.page, 0, PAGE, page, page + PAGE) === 0) addresses.push(from + page + site.at);
  return addresses;
}
