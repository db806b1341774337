import { expect, test } from "vitest";
import { fillWildcard, findFixedEnds, isMatching, isUniversal, parseWildcard, type Wildcard } from "./wildcard.ts";

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
])("%s is of these texts and no others", (text, matching, others) => {
  const pattern = parse(text);
  expect(matching.filter((one) => !isMatching(one, pattern))).toEqual([]);
  expect(others.filter((one) => isMatching(one, pattern))).toEqual([]);
});

test("a pattern has 128 bytes and 8 stars at most, and no backslash at its end", () => {
  expect(["", "a\\", "*".repeat(9), "a".repeat(129), "€".repeat(43)].map(parseWildcard)).toEqual(
    Array.from({ length: 5 }, () => undefined),
  );
  expect(["\\\\", "*".repeat(8), "a".repeat(128), "€".repeat(42)].every((text) => parseWildcard(text))).toBe(true);
});

test("a pattern tells its ends, a text of it, and whether it is of every text", () => {
  expect(findFixedEnds(parse("ab?c*d#ef"))).toEqual({ start: "ab", end: "ef" });
  expect(fillWildcard(parse("a?#*b"), "xy")).toBe("aa0xyb");
  expect([isUniversal(parse("**")), isUniversal(parse("*?")), isUniversal(parse("a"))]).toEqual([true, false, false]);
});

test("a hostile text costs its length times the pattern's, and no more", () => {
  const text = "a".repeat(131_072);
  const patterns = [`${"*aaaaaaaaaaaaa".repeat(7)}*b`, `*${"a".repeat(126)}b`, `${"*?".repeat(8)}b`].map(parse);
  const start = performance.now();
  expect(patterns.filter((pattern) => isMatching(text, pattern))).toEqual([]);
  expect(performance.now() - start).toBeLessThan(5000);
});
