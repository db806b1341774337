const WORD = /[\p{Letter}\p{Number}]/u;

/** Returns whether a reason contains no word. */
export function isWithoutWords(reason: string): boolean {
  return !WORD.test(reason);
}
