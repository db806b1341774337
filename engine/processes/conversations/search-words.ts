// Converts a person's query to a query of the index, which consists only of words: operators of the index's query language are left out.

/** Maximum number of search words: more words would make a query slower and hardly better. */
const MAX_WORDS = 16;
const MAX_ASKED_LENGTH = 1024;
const WORD = /[\p{L}\p{N}\p{Co}\p{M}]+/gu;
const AROUND = 70;

/** Returns the words of a query, split as the index splits texts; empty if there are none. */
export function extractWords(asked: string): readonly string[] {
  return [...asked.slice(0, MAX_ASKED_LENGTH).matchAll(WORD)].map(([word]) => word).slice(0, MAX_WORDS);
}

/** Shorter words do not distinguish sayings, unless they contain a character other than the letters a to z. */
const LEAST_TELLING_LENGTH = 3;
const TELLS_BY_ITSELF = /[^a-z]/;

/** Returns the words of a request that can distinguish sayings, each once. */
export function selectTellingWords(asked: string): readonly string[] {
  const words = extractWords(asked).map((word) => word.toLowerCase());
  return [...new Set(words)].filter((word) => word.length >= LEAST_TELLING_LENGTH || TELLS_BY_ITSELF.test(word));
}

/**
 * Returns a short text unchanged. For a long text, returns a passage around the first of the words, with a note that
 * states how much is omitted.
 */
export function cutPassage(text: string, words: readonly string[], length: number): string {
  if (text.length <= length) return text;
  const from = Math.max(0, Math.min(findFirstPlace(text, words) - Math.floor(length / 4), text.length - length));
  const piece = text.slice(from, from + length).toWellFormed();
  return `${piece} [a passage: ${text.length - length} more characters]`;
}

function findFirstPlace(text: string, words: readonly string[]): number {
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word.toLowerCase())).filter((place) => place >= 0);
  return places.length === 0 ? 0 : Math.min(...places);
}

/**
 * Returns a query for all words, in any order. Each word is between quotes, where only a quote is special, and no word
 * contains one.
 */
export function matchOf(words: readonly string[]): string {
  return words.map((word) => `"${word}"`).join(" ");
}

/** Returns the original text around the first of the words that it contains, on one line. */
export function cutExcerpt(text: string, words: readonly string[]): string {
  const at = findFirstPlace(text, words);
  const [from, to] = [Math.max(0, at - AROUND), Math.min(text.length, at + AROUND * 2)];
  const piece = text.slice(from, to).replaceAll(/\s+/g, " ").trim().toWellFormed();
  return `${from > 0 ? "… " : ""}${piece}${to < text.length ? " …" : ""}`;
}
