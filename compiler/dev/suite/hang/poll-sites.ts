// Finds the places in a machine's memory where a program waits. A program waits at the instruction after a call of
// `poll`. The search covers memory pages whose bytes equal those of the program.

import { readSync } from "node:fs";

const PAGE = 4096;
/** `mov $7, %eax; syscall`, which calls `poll` on x86-64. */
const POLL = Buffer.from("b8070000000f05", "hex");
/** Code that calls `pause` in an endless loop, because `pause` returns at each signal. */
export const FOR_EVER = Buffer.from("b8220000000f05ebf7", "hex");

/** Instruction to which a call of `poll` returns, with the memory page that contains it. */
interface Site {
  readonly page: Buffer;
  /** Offset of the place in the page. */
  readonly at: number;
}

/**
 * Returns the places after calls of `poll`. It omits places so near to the end of a page that the new code does not
 * fit.
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

/** Returns the physical addresses of the places. The file `memory` contains the machine's memory from address 0 on. */
export function findAddresses(sites: readonly Site[], memory: number): readonly number[] {
  const addresses: number[] = [];
  const piece = Buffer.alloc(PIECE);
  for (let from = 0; readSync(memory, piece, 0, PIECE, from) === PIECE; from += PIECE)
    for (let page = 0; page < PIECE; page += PAGE)
      for (const site of sites)
        if (piece.compare(site.page, 0, PAGE, page, page + PAGE) === 0) addresses.push(from + page + site.at);
  return addresses;
}
