const WORD = /[\p{Letter}\p{Number}]/u;

/** Returns whether a reason has no word in it. */
export function isWithoutWords(reason: string): boolean {
  return !WORD.test(reason);
}
