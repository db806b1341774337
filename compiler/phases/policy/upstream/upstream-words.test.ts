import { expect, test } from "vitest";
import { readCapWords } from "../../../../targets/contract/upstream-words.ts";

test("words are read in any order", () => {
  const { words, unreadable } = readCapWords([
    "exported",
    "discloses profile_class",
    "as out",
    "discloses principal_kind",
    "badge 7",
  ]);
  expect(unreadable).toEqual([]);
  expect(words).toEqual({
    name: "out",
    badge: 7n,
    discloses: ["principal_kind", "profile_class"],
    isExported: true,
    export: undefined,
  });
});

test.each([
  ["a word that means nothing", ["out"]],
  ["nothing", [""]],
  ["a name that is missing", ["as "]],
  ["two names", ["as one", "as two"]],
  ["a badge that is no number", ["badge seven"]],
  ["a badge with zeros before", ["badge 07"]],
  ["upstream's mark for any badge", ["badge 18446744073709551615"]],
  ["a badge of more than 64 bits", ["badge 99999999999999999999"]],
  ["something undisclosed", ["discloses everything"]],
  ["one disclosure twice", ["discloses profile_class", "discloses profile_class"]],
  ["an export with a name", ["exported as"]],
  ["an export of nothing", ["export"]],
])("%s is told, once", (_, words) => {
  expect(readCapWords(words).unreadable).toHaveLength(1);
});
