// Selects the bytes to change in each structure of an image: the first and the last byte, and bytes between them, the
// same in every run.

import type { Structure } from "./structures.ts";

export interface Flip {
  readonly structure: Structure;
  /** Offset in the image. */
  readonly offset: number;
  /** Mask with one bit, which is the bit of the byte to change. */
  readonly mask: number;
}

/**
 * Returns the changes to make. `most` returns the maximum number of changes of a structure; a structure with at most
 * that many bytes is changed in every byte.
 */
export function planFlips(structures: readonly Structure[], most: (structure: Structure) => number): readonly Flip[] {
  return structures.flatMap((structure) =>
    selectOffsets(structure.size, most(structure)).map((at) => flipAt(structure, at)),
  );
}

function flipAt(structure: Structure, at: number): Flip {
  const offset = structure.offset + at;
  return { structure, offset, mask: 1 << (scatterNumber(offset) % 8) };
}

/** Returns offsets in rising order, always including the first and the last. */
function selectOffsets(size: number, most: number): number[] {
  if (size <= most) return Array.from({ length: size }, (_, at) => at);
  const part = size / most;
  return Array.from({ length: most }, (_, index) => {
    if (index === 0) return 0;
    if (index === most - 1) return size - 1;
    const first = Math.floor(index * part);
    return first + (scatterNumber(index) % Math.floor(part));
  });
}

/** Returns a pseudo-random number that depends only on its argument (the finaliser of MurmurHash3). */
function scatterNumber(number: number): number {
  let mixed = number | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
