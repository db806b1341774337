import { CONTEXTUAL, getCode, KINDS, RESERVED } from "./vocabulary.ts";

// The scanner finds keywords by a hash. The scanner computes the hash while it scans a name, so the name need not be copied from the text.

const SLOTS = 1024;

export const FIRST_HASH = 0;

export function updateHash(hash: number, unit: number): number {
  return (Math.imul(hash, 31) + unit) | 0;
}

/**
 * Hash table of all keywords: it has the code of one keyword in each used slot. The hash of a word selects its slot. If
 * another word has this slot, the word is in the next free slot.
 */
const TABLE = new Uint8Array(SLOTS);

const NAME = getCode("Name");

function computeSlot(hash: number): number {
  return (hash ^ (hash >>> 10)) & (SLOTS - 1);
}

for (const word of [...RESERVED, ...CONTEXTUAL]) {
  let hash = FIRST_HASH;
  for (let index = 0; index < word.length; index++) hash = updateHash(hash, word.charCodeAt(index));
  let slot = computeSlot(hash);
  while (TABLE[slot] !== 0) slot = (slot + 1) % SLOTS;
  TABLE[slot] = getCode(word);
}

/** Returns the code of the keyword in `text` between two offsets, or the code of a name if there is none. */
export function findKeyword(text: string, start: number, end: number, hash: number): number {
  for (let slot = computeSlot(hash); ; slot = (slot + 1) % SLOTS) {
    const code = TABLE[slot] ?? 0;
    // An empty slot of `TABLE` contains zero. Zero is the code of a name, so a word that has no slot is a name.
    if (code === NAME) return NAME;
    const word = KINDS[code] ?? "";
    if (word.length === end - start && text.startsWith(word, start)) return code;
  }
}
