// What plain English is here, as far as a pattern can tell.

/** Begins a comment that has no subject and no verb: "Of a block", "What was sent", "Nothing where it may". */
const HEADLESS = /^(?:Of|What|Who|Whoever|Nothing|Where|Beside|The same)\b/;
const NEGATION = /\b(?:is|are|was|were) no(?= [a-z])(?! (?:longer|more|less|other)\b)/g;
const MOST_WORDS = 30;

/** Returns whether a doc comment begins without its subject. */
export function isHeadless(text: string): boolean {
  return HEADLESS.test(text);
}

/** Returns the places of a text that say "is no …" in place of "is not a …". */
export function findOddNegations(text: string): readonly string[] {
  return [...text.matchAll(NEGATION)].map(({ index }) => text.slice(index, index + 40));
}

/** Returns the sentences of a page that have more than 30 words. Code counts as one word; tables and blocks of code do not count. */
export function findLongSentences(markdown: string): readonly string[] {
  const prose = markdown
    .replace(/^(`{3,}).*\n[\s\S]*?^\1\s*$/gm, "\n")
    .replace(/^\|.*$/gm, "\n")
    .replace(/^#.*$/gm, "\n")
    .replace(/`[^`\n]+`/g, "CODE")
    .replace(/\]\([^)]*\)/g, "]");
  const paragraphs = prose.split(/\n\s*\n|\n\s*(?=[-*] |\d+\. )/);
  const sentences = paragraphs.flatMap((paragraph) => paragraph.replace(/\s+/g, " ").split(/(?<=[.!?:;])\s/));
  return sentences.filter((sentence) => sentence.split(/\s+/).filter((word) => /\w/.test(word)).length > MOST_WORDS);
}
