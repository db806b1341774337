import { expect, test } from "vitest";
import { explainUnseen, findHidden } from "./hidden.ts";

test.each([
  ["an emoji", "Sends 🎉 to a friend"],
  ["an emoji that is turned into one", "❤\ufe0f"],
  ["several people as one emoji", "👩\u200d💻 and 👨\u{1f3fd}\u200d🚀"],
  ["a heart on fire", "❤\ufe0f\u200d🔥"],
  ["several lines", "one\n\ttwo\r\n"],
])("no hidden character is found in %s", (_, words) => {
  expect(findHidden(words)).toBeUndefined();
});

test.each([
  ["a joiner between letters", "pass\u200dword", "U+200D"],
  ["a joiner behind an emoji alone", "🎉\u200d now", "U+200D"],
  ["two joiners", "👩\u200d\u200d💻", "U+200D"],
  ["a change of direction", "a\u202eb", "U+202E"],
  ["a tag", "🏴\u{e0067}", "U+E0067"],
  ["half of a character", "a\ud83c", "U+D83C"],
])("finds %s", (_, words, found) => {
  expect(findHidden(words)).toBe(found);
  expect(explainUnseen(words)).toContain(found);
});
