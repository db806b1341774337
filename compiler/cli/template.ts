import { readFileSync } from "node:fs";

/**
 * Returns the text of a template with its placeholders replaced: words in capitals, and `0xID`. Placeholders that `words` does not contain
 * stay unchanged.
 */
export function fillTemplate(template: URL, words: Readonly<Record<string, string>>): string {
  const text = readFileSync(template, "utf8");
  return text.replaceAll(/\b(?:[A-Z_]{4,}|0xID)\b/g, (word) => words[word] ?? word);
}
