import { expect, test } from "vitest";
import {
  fillWildcard,
  findFixedEnds,
  isMatching,
  isUniversal,
  listFixedRuns,
  parseWildcard,
  type Wildcard,
} from "./wildcard.ts";

function parse(text: string): Wildcard {
  const pattern = parseWildcard(text);
  if (pattern === undefined) throw new Error(`${text} is not a pattern`);
  return pattern;
}

test.each([
  ["INV-####", ["INV-0001"], ["INV-001", "INV-00011", "INV-000a", "inv-0001", "INV-٠٠٠١"]],
  ["?", ["a", "€", "😀", "\n"], ["", "aa"]],
  ["*", ["", "a", "a\nb"], []],
  ["a*b", ["ab", "axb", "abab"], ["a", "b", "aba", "xab"]],
  ["*ab*ab", ["abab", "aabxab"], ["ab", "aab", "abaab".slice(0, 4)]],
  ["**", ["", "ab"], []],
  ["\\*\\?\\#\\\\", ["*?#\\"], ["a?#\\", "\\*\\?"]],
  ["a.c", ["a.c"], ["abc"]],
  ["a*?#", ["ab1", "axx0"], ["a1", "a", "ab"]],
])("the pattern %s matches the expected texts and no others", (text, matching, others) => {
  const pattern = parse(text);
  expect(matching.filter((one) => !isMatching(one, pattern))).toEqual([]);
  expect(others.filter((one) => isMatching(one, pattern))).toEqual([]);
});

test("a pattern has at most 128 bytes and 8 stars, and does not end with a backslash", () => {
  expect(["", "a\\", "*".repeat(9), "a".repeat(129), "€".repeat(43)].map(parseWildcard)).toEqual(
    Array.from({ length: 5 }, () => undefined),
  );
  expect(["\\\\", "*".repeat(8), "a".repeat(128), "€".repeat(42)].every((text) => parseWildcard(text))).toBe(true);
});

test("returns the fixed ends of a pattern, an example text, and whether the pattern matches every text", () => {
  expect(findFixedEnds(parse("ab?c*d#ef"))).toEqual({ start: "ab", end: "ef" });
  expect(fillWildcard(parse("a?#*b"), "xy")).toBe("aa0xyb");
  expect([isUniversal(parse("**")), isUniversal(parse("*?")), isUniversal(parse("a"))]).toEqual([true, false, false]);
});

test("matching a hostile text takes at most as many steps as the text's length times the pattern's length", () => {
  const text = "a".repeat(131_072);
  const patterns = [`${"*aaaaaaaaaaaaa".repeat(7)}*b`, `*${"a".repeat(126)}b`, `${"*?".repeat(8)}b`].map(parse);
  const start = performance.now();
  expect(patterns.filter((pattern) => isMatching(text, pattern))).toEqual([]);
  expect(performance.now() - start).toBeLessThan(5000);
});

test("lists the fixed texts between stars, and returns undefined for a pattern with ? or #", () => {
  expect(["a*b\\*c", "abc", "*", "**a"].map((text) => listFixedRuns(parse(text)))).toEqual([
    ["a", "b*c"],
    ["abc"],
    ["", ""],
    ["", "", "a"],
  ]);
  expect(["a?", "a*#", "#*b"].map((text) => listFixedRuns(parse(text)))).toEqual([undefined, undefined, undefined]);
});

test("the fixed beginning of a pattern ends at its first wildcard, and the fixed end begins after its last", () => {
  const ends = (text: string) => findFixedEnds(parse(text));
  expect(ends("abc")).toEqual({ start: "abc", end: "abc" });
  expect(ends("*")).toEqual({ start: "", end: "" });
  expect(ends("#a*b?")).toEqual({ start: "", end: "" });
  expect(ends("ab*")).toEqual({ start: "ab", end: "" });
  expect(ends("*cd")).toEqual({ start: "", end: "cd" });
});

test.each([
  ["*aXa*", ["aXa", "aaXa", "aXaXa", "xaXay"], ["aX", "aXXa"]],
  ["*a?*", ["ab", "aab", "xa😀"], ["a", "xa"]],
  ["*#b*c", ["1bc", "a11bxc"], ["1c", "b1c", "1bcd"]],
  ["a*b*c", ["abc", "axbxc"], ["acb", "ab", "abcx"]],
  ["ab*bc", ["abbc", "abxbc"], ["abc"]],
  ["#", ["0", "9"], ["/", ":", "", "00"]],
])(
  "a pattern matches the expected texts, at whatever place the parts between its stars occur: %s",
  (text, matching, others) => {
    const pattern = parse(text);
    expect(matching.filter((one) => !isMatching(one, pattern))).toEqual([]);
    expect(others.filter((one) => isMatching(one, pattern))).toEqual([]);
  },
);
