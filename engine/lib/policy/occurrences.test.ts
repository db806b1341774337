import fc from "fast-check";
import { expect, test } from "vitest";
import {
  findOccurrences,
  findTexts,
  joinSpans,
  parseSearchPattern,
  type SearchPattern,
  type Span,
} from "./occurrences.ts";
import { isMatching, parseWildcard } from "./wildcard.ts";

function parse(text: string): SearchPattern {
  const pattern = parseSearchPattern(text);
  if (pattern === undefined) throw new Error(`${text} is not a pattern`);
  return pattern;
}

function find(text: string, pattern: string, cuts: readonly number[] = []): readonly string[] {
  const found = findOccurrences(text, parse(pattern), { left: 1 << 20 }, new Set(cuts));
  return (found ?? []).map(({ start, end }) => text.slice(start, end));
}

test.each([
  ["#### ####", "a 1234 5678, 12345 6789", ["1234 5678", "2345 6789"]],
  ["####", "123 1234 12345678 x", ["1234", "12345678"]],
  ["sk-*", "key sk-abc_9! and sk- end", ["sk-abc_9!", "sk-"]],
  ["*@a.b", "to ann@a.b, @a.b", ["ann@a.b", "@a.b"]],
  ["DE##*##", "DE12 345678 DE125678x", ["DE125678"]],
  ["a?c", "abc a😀c a\nc ac", ["abc", "a😀c", "a\nc"]],
  ["aba", "ababa", ["ababa"]],
  ["a\\*\\#", "a*# ab#", ["a*#"]],
  ["😀😀😀", "x😀😀😀y", ["😀😀😀"]],
  ["abc*", "abc\u00a0d abc\u2003 abcé", ["abc", "abc", "abcé"]],
])("finds the pattern %s in the text %s", (pattern, text, expected) => {
  expect(find(text, pattern)).toEqual(expected);
});

test("a search pattern needs at least three characters besides its stars, and at least one other than a question mark", () => {
  const texts = ["", "##", "a*b*", "???", "*??????*", "a\\", "*".repeat(9), "a".repeat(129)];
  expect(texts.map(parseSearchPattern)).toEqual(texts.map(() => undefined));
  expect(["###", "a*bc", "??a", "\\*\\*\\*"].every((text) => parseSearchPattern(text))).toBe(true);
});

test("finds the beginning of a match if the rest was cut out of the text", () => {
  const text = "card 1234 56 [cut: 9 more bytes] 12";
  expect(find(text, "#### ####", [12])).toEqual(["1234 56"]);
  expect(find(text, "#### ####")).toEqual([]);
  expect(find("no digit [cut: 9 more bytes]", "####", [8])).toEqual([]);
});

test("where a part of the text was cut out, the longest beginning of a match is found, and no match continues after the cut", () => {
  expect(find("12 1234", "####", [2, 7])).toEqual(["12", "1234"]);
  expect(find("ab", "abc", [1])).toEqual(["a"]);
  expect(find("aab", "aabaac", [3])).toEqual(["aab"]);
  expect(find("x12", "12##", [1, 3])).toEqual(["12"]);
  expect(find("x12", "12##", [2])).toEqual(["1"]);
  expect(find("sk-abc def", "sk-*end", [6])).toEqual(["sk-abc"]);
});

test("each character costs one unit in a search for a plain text; for a pattern, it also costs the steps of the longest partial match", () => {
  const spend = (text: string, pattern: string) => {
    const budget = { left: 1000 };
    findOccurrences(text, parse(pattern), budget);
    return 1000 - budget.left;
  };
  expect(spend("xyz", "abc")).toBe(3);
  expect(spend("abcx", "abc")).toBe(1 + 2 + 3 + 4);
  expect(findOccurrences("xyz", parse("abc"), { left: 3 })).toEqual([]);
  expect(findOccurrences("xyz", parse("abc"), { left: 2 })).toBeUndefined();
  expect(findTexts("xyz", "z", { left: 3 })).toEqual([{ start: 2, end: 3 }]);
  expect(findTexts("xyz", "z", { left: 2 })).toBeUndefined();
});

test("joins spans that touch or overlap, and keeps others apart", () => {
  const span = (start: number, end: number) => ({ start, end });
  expect(joinSpans([span(5, 6), span(0, 2), span(2, 4)])).toEqual([span(0, 4), span(5, 6)]);
  expect(joinSpans([span(1, 3), span(5, 7), span(0, 9)])).toEqual([span(0, 9)]);
  expect(joinSpans([span(2, 3), span(0, 4), span(1, 2)])).toEqual([span(0, 4)]);
  expect(joinSpans([])).toEqual([]);
  expect(find("abcabc abc", "abc")).toEqual(["abcabc", "abc"]);
});

test("a star matches up to the next white space of any kind", () => {
  for (const blank of [" ", "\t", "\n", "\u000b", "\f", "\r", "\u00a0", "\u2003", "\u3000", "\ufeff"])
    expect(find(`sk-a${blank}b`, "sk-*")).toEqual(["sk-a"]);
  for (const letter of ["\u0008", "\u000e", "!", "é", "😀"]) expect(find(`sk-a${letter}b`, "sk-*")).toHaveLength(1);
  expect(find("sk-a\u000eb sk-a\u0008b", "sk-*")).toEqual(["sk-a\u000eb", "sk-a\u0008b"]);
  expect(["0", "9", "/", ":"].map((mark) => find(`ab${mark}`, "ab#").length)).toEqual([1, 1, 0, 0]);
});

test("returns undefined if a search exceeds its budget", () => {
  const budget = { left: 100 };
  expect(findOccurrences("1".repeat(200), parse("####"), budget)).toBeUndefined();
  expect(findTexts("1".repeat(200), "11", { left: 100 })).toBeUndefined();
  const kind = { left: 8 * 200 };
  expect(findOccurrences("1".repeat(200), parse("####"), kind)).toEqual([{ start: 0, end: 200 }]);
});

test("finds every occurrence of a text, even if they overlap", () => {
  expect(findTexts("aXaXa b aXa", "aXa", { left: 99 })).toEqual([
    { start: 0, end: 5 },
    { start: 8, end: 11 },
  ]);
  expect(
    joinSpans([
      { start: 4, end: 9 },
      { start: 0, end: 3 },
      { start: 3, end: 5 },
    ]),
  ).toEqual([{ start: 0, end: 9 }]);
});

const letter = fc.constantFrom("a", "b", "1", "2", " ", "\n", "-", "😀", "é");
const step = fc.constantFrom("a", "b", "1", "#", "?", "*", " ", "-", "\\a", "😀");

/** Returns the occurrences by testing each part of the text with the evaluator of `matches`. */
function findByTrying(text: string, pattern: string): readonly Span[] {
  const wildcard = parseWildcard(pattern);
  const characters = [...text];
  const ends = [0];
  for (const character of characters) ends.push((ends.at(-1) ?? 0) + character.length);
  const spans = ends.flatMap((start, from) =>
    ends.slice(from).flatMap((end) => {
      const part = text.slice(start, end);
      return wildcard !== undefined && end > start && isOfWords(part, pattern) ? [{ start, end }] : [];
    }),
  );
  return joinSpans(spans);
}

/** Returns whether the text matches the pattern if each star matches a run without white space; tries all such runs. */
function isOfWords(text: string, pattern: string): boolean {
  const [first, ...rest] = pattern.match(/\\?./gsu) ?? [];
  if (first === undefined) return text === "";
  if (first === "*") {
    if (isOfWords(text, rest.join(""))) return true;
    const [next] = text;
    return next !== undefined && !/\s/u.test(next) && isOfWords(text.slice(next.length), pattern);
  }
  const [next] = text;
  const one = parseWildcard(first);
  return (
    next !== undefined &&
    one !== undefined &&
    isMatching(next, one) &&
    isOfWords(text.slice(next.length), rest.join(""))
  );
}

test("property: finds exactly the characters that some match of the pattern covers", () => {
  fc.assert(
    fc.property(
      fc.array(letter, { maxLength: 12 }).map((all) => all.join("")),
      fc.array(step, { minLength: 3, maxLength: 6 }).map((all) => all.join("")),
      (text, pattern) => {
        const parsed = parseSearchPattern(pattern);
        if (parsed === undefined) return;
        expect(findOccurrences(text, parsed, { left: 1 << 20 })).toEqual(findByTrying(text, pattern));
      },
    ),
    { numRuns: 400 },
  );
});
