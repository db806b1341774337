/** Letters of these scripts are drawn alike; a word is written in one of them. */
const SCRIPTS: readonly RegExp[] = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
  /\p{Script=Coptic}/u,
];

/** Whether one word has letters of two alphabets, so that it may be another word than it looks. */
export function hasMixedAlphabets(text: string): boolean {
  const words = text.match(/[\p{Letter}\p{Mark}]+/gu) ?? [];
  return words.some((word) => SCRIPTS.filter((script) => script.test(word)).length > 1);
}
