/** Letters of these scripts look alike; a word should use only one script. */
const SCRIPTS: readonly RegExp[] = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
  /\p{Script=Coptic}/u,
];

/** Returns whether a word of the text has letters of several of these scripts. Such a word can look like another word. */
export function hasMixedAlphabets(text: string): boolean {
  const words = text.match(/[\p{Letter}\p{Mark}]+/gu) ?? [];
  return words.some((word) => SCRIPTS.filter((script) => script.test(word)).length > 1);
}
