// Parses KEYS of a script's line `~ KEYS`: keys that are pressed at the prompt, for example to edit a line or to search for one.

import { parseQuoted } from "./claims.ts";

/** Bytes that a terminal sends for each key. */
const NAMED: Readonly<Record<string, string>> = {
  enter: "\r",
  up: "\u001b[A",
  down: "\u001b[B",
  tab: "\t",
  backspace: "\u007f",
  "ctrl-g": "\u0007",
  "ctrl-r": "\u0012",
  "ctrl-u": "\u0015",
  "ctrl-w": "\u0017",
  "ctrl-y": "\u0019",
};

const NAMES = Object.keys(NAMED);
export const KEY_FORMS: string = `keys are texts in quotes, ${NAMES.slice(0, -1).join(", ")} and ${NAMES.at(-1)}`;

/** A text in quotes, or the name of a key. */
const WORD = /"(?:[^"\\]|\\.)*"|\S+/g;

/** Returns the bytes for the terminal, or `undefined` if a word does not name a key. */
export function parseKeys(words: string): string | undefined {
  const keys = [...words.matchAll(WORD)].map(([word]) => (word.startsWith('"') ? parseQuoted(word) : NAMED[word]));
  return keys.includes(undefined) ? undefined : keys.join("");
}

/** Returns whether these keys contain Enter, which ends the line. */
export function isEntered(keys: string): boolean {
  return keys.includes("\r");
}
