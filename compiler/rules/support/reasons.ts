const WORD = /[\p{Letter}\p{Number}]/u;

/** True of a reason without a word in it. */
export function saysNothing(reason: string): boolean {
  return !WORD.test(reason);
}
