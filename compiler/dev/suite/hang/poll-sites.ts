// Finds the places in a machine's memory at which a program waits: after its calls of `poll`, on pages with the program's own bytes.

import { readSync } from "node:fs";

const PAGE = 4096;
/** `mov $7, %eax; syscall`: the number of `poll` on x86-64. */
const POLL = Buffer.from("b8070000000f05", "hex");
/** An endless loop of the system call `pause`, which returns at each signal and is then repeated. */
export const FOR_EVER = Buffer.from("b8220000000f05ebf7", "hex");

/** The place to which a call of `poll` in a program returns, and the page around it. */
interface Site {
  readonly page: Buffer;
  /** Offset in the page. */
  readonly at: number;
}

/** Calls that are so near to the end of a page that the new code does not fit are left out. */
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

/** Searches a dump of the machine's memory for the sites, and returns their physical addresses. `memory`: descriptor of the dump, from address 0. */
export function findAddresses(sites: readonly Site[], memory: number): readonly number[] {
  const addresses: number[] = [];
  const piece = Buffer.alloc(PIECE);
  for (let from = 0; readSync(memory, piece, 0, PIECE, from) === PIECE; from += PIECE)
    for (let page = 0; page < PIECE; page += PAGE)
      for (const site of sites)
        if (piece.compare(site.page, 0, PAGE, page, page + PAGE) === 0) addresses.push(from + page + site.at);
  return addresses;
}
