import { expect, test } from "vitest";
import { readCapWords } from "./upstream-words.ts";

test("the words of a grant may be in any order", () => {
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
  ["an unknown word", ["out"]],
  ["an empty word", [""]],
  ["a missing name", ["as "]],
  ["two names", ["as one", "as two"]],
  ["a badge that is not a number", ["badge seven"]],
  ["a badge with leading zeros", ["badge 07"]],
  ["the badge that upstream reserves", ["badge 18446744073709551615"]],
  ["a badge of more than 64 bits", ["badge 99999999999999999999"]],
  ["an unknown disclosure", ["discloses everything"]],
  ["the same disclosure twice", ["discloses profile_class", "discloses profile_class"]],
  ["an export with a name", ["exported as"]],
  ["an export without a name", ["export"]],
])("for %s, exactly one reason of refusal is returned", (_, words) => {
  expect(readCapWords(words).unreadable).toHaveLength(1);
});

const whyNot = (...words: string[]) => readCapWords(words).unreadable.map(({ index, why }) => [index, why]);
const read = (...words: string[]) => readCapWords(words).words;

test("each reason is returned with the index of its word", () => {
  expect(whyNot("as out", "as")).toEqual([[1, "`as` wants a name"]]);
  expect(whyNot("badge 7x")).toEqual([[0, "a badge is a whole number below 2^64 - 1"]]);
  expect(whyNot("discloses everything")).toEqual([
    [0, "a session discloses one of principal_kind, auth_strength, profile_class"],
  ]);
  expect(whyNot("discloses auth_strength", "discloses auth_strength")).toEqual([
    [1, "`discloses auth_strength` is there already"],
  ]);
  expect(whyNot("exported as out")).toEqual([[0, "`exported` stands alone: `as NAME` names what others import"]]);
  expect(whyNot("export")).toEqual([[0, "`export` wants a name"]]);
  expect(whyNot("badge 1", "exported", "badge 2")).toEqual([[2, "`badge` is there already"]]);
  const none = "it is none of `as NAME`, `badge N`, `discloses WORD`, `exported`, `export NAME`";
  const odd = ["out", " as out", "", "as\tout", "exported\tout"];
  expect(whyNot(...odd)).toEqual(odd.map((_, index) => [index, none]));
});

test("an invalid word has no effect, and the first of two words of one kind is used", () => {
  expect(read("as", "badge x", "discloses y", "exported z", "export")).toEqual(read());
  expect(read()).toEqual({ name: undefined, badge: 0n, discloses: [], isExported: false, export: undefined });
  expect(read("as one", "as two", "badge 1", "badge 2")).toMatchObject({ name: "one", badge: 1n });
  expect(read("export one", "export two").export).toBe("one");
});

test("a name is all text after its keyword, including spaces and line ends", () => {
  expect(read("as a b", "export c\nd")).toMatchObject({ name: "a b", export: "c\nd" });
});

test("a badge is any 64-bit number except the reserved one", () => {
  const [most, mark] = [2n ** 64n - 2n, 2n ** 64n - 1n];
  expect([read("badge 0"), read(`badge ${most}`), read(`badge ${mark}`)].map(({ badge }) => badge)).toEqual([
    ...[0n, most, 0n],
  ]);
  for (const odd of [`${mark}`, "00", "-1", "1.0", "x1", "1x", `1${"0".repeat(20)}`, ""])
    expect([odd, whyNot(`badge ${odd}`).length]).toEqual([odd, 1]);
});

test("the disclosures of a grant are returned in a fixed order, whatever the order of the words", () => {
  const words = ["discloses profile_class", "discloses auth_strength", "discloses principal_kind"];
  expect(read(...words).discloses).toEqual(["principal_kind", "auth_strength", "profile_class"]);
  expect(read(...words.slice(0, 2)).discloses).toEqual(["auth_strength", "profile_class"]);
});
