const WORD = /[\p{Letter}\p{Number}]/u;

/** True of a reason without a word in it. */
export function isWithoutWords(reason: string): boolean {
  return !WORD.test(reason);
}
