// Defines rules of plain English, as far as a pattern can check them.

/**
 * Matches the beginning of a comment without subject and verb: "Of a block", "What was sent", "Nothing where it may".
 */
const HEADLESS = /^(?:Of|What|Who|Whoever|Nothing|Where|Beside|The same)\b/;
/** Matches the beginning of a help text or message that does not name its subject, such as "What" or "Nothing". */
const ODD_SUBJECT = /^(?:of|what|who|whoever|where|nothing)\b/i;
/** Matches "is no" before a noun. "There is no" and comparisons such as "is no larger than" are plain, so they do not match. */
const NEGATION = /(?<!\b[Tt]here )\b(?:is|are|was|were) no(?= [a-z])(?! (?:more|less|other|[a-z]+er)\b)/g;
const MOST_WORDS = 30;

/** Returns whether a doc comment begins without its subject. */
export function isHeadless(text: string): boolean {
  return HEADLESS.test(text);
}

/** Returns whether a help text or a message begins with "What", "Of", "Who", "Whoever", "Where" or "Nothing". */
export function hasOddSubject(text: string): boolean {
  return ODD_SUBJECT.test(text);
}

/** Returns whether a text has more words than `most`. Code in backquotes counts as one word. */
export function isLongerThan(text: string, most: number): boolean {
  const words = text.replace(/`[^`\n]+`/g, "CODE").split(/\s+/);
  return words.filter((word) => /\w/.test(word)).length > most;
}

/** Returns the places of a text that say "is no …" in place of "is not a …". */
export function findOddNegations(text: string): readonly string[] {
  return [...text.matchAll(NEGATION)].map(({ index }) => text.slice(index, index + 40));
}

/**
 * Returns the sentences of more than 30 words. Entries of a list that `·` joins count as sentences. Code counts as one
 * word. Tables and code blocks are skipped.
 */
export function findLongSentences(markdown: string): readonly string[] {
  const prose = markdown
    .replace(/^(`{3,}).*\n[\s\S]*?^\1\s*$/gm, "\n")
    .replace(/^\|.*$/gm, "\n")
    .replace(/^#.*$/gm, "\n")
    .replace(/`[^`\n]+`/g, "CODE")
    .replace(/\]\([^)]*\)/g, "]");
  const paragraphs = prose.split(/\n\s*\n|\n\s*(?=[-*] |\d+\. )/);
  const sentences = paragraphs.flatMap((paragraph) => paragraph.replace(/\s+/g, " ").split(/(?<=[.!?:;])\s|\s·\s/));
  return sentences.filter((sentence) => isLongerThan(sentence, MOST_WORDS));
}
