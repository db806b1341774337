import { expect, test } from "vitest";
import { findOddity, type Json, readCarrier, readJson, readTolerantly } from "./json-reader.ts";

const OPEN = 512;
/** Nests a text in more lists than the tolerant reader follows. */
const deep = (inside: string, close = OPEN) => "[".repeat(OPEN) + inside + "]".repeat(close);

function findInnermost(text: string): readonly Json[] {
  const read = readTolerantly(text);
  if (!read.ok) throw new Error(read.reason);
  let value = read.value;
  for (let at = 1; at < OPEN; at += 1) value = (value as readonly Json[])[0] ?? null;
  return value as readonly Json[];
}

test.each([
  '"]"',
  '"\\""',
  "[]",
  "{}",
  '{"a":"}","b":[true,false,null,-1.5e+3]}',
  "[[{}],{}]",
  '{ "a" : [ 1 , 2 ] }'.replaceAll(" ", ""),
  '"\\ud800"',
  "12",
  "true",
])("tolerant reading keeps a part that is nested too deep as unparsed text: %s", (part) => {
  const kept = { source: part, reason: "deeper than 512 levels" };
  expect(findInnermost(deep(part)).map(findOddity)).toEqual([kept]);
  expect(findInnermost(deep(`${part},${part}`)).map(findOddity)).toEqual([kept, kept]);
});

test.each<[string, string]>([
  ["]", "a value is expected at character 515"],
  ["}", "a value is expected at character 515"],
  ["1,]", "a value is expected at character 515"],
])("requires a value after a comma at any depth: %s", (part, reason) => {
  const before = part.startsWith("1") ? "" : "1,";
  expect(readTolerantly(deep(before + part))).toEqual({ ok: false, reason });
});

test.each(["[", '["a', '{"a":"\\x"}', "[nul]", "[1", "[+1]", '"a', "x", "{"])(
  "tolerant reading refuses malformed JSON even in parts that it skips: %s",
  (part) => {
    expect(readTolerantly(deep(part, 0))).toEqual({ ok: false, reason: "a value is expected at character 513" });
  },
);

test("only the tolerant reader accepts values that are nested 33 levels deep", () => {
  const nested = "[".repeat(33) + "]".repeat(33);
  const reason = "deeper than 32 levels at character 33";
  expect(readJson(nested)).toEqual({ ok: false, reason });
  expect(readCarrier(nested)).toEqual({ ok: false, reason });
  expect(readTolerantly(nested).ok).toBe(true);
});

test("only the strict reader refuses an unescaped lone surrogate", () => {
  const text = '["\ud800"]';
  expect(readJson(text)).toEqual({ ok: false, reason: "holds a lone surrogate" });
  expect(readCarrier(text)).toEqual({ ok: true, value: ["\ud800"] });
  expect(readTolerantly(text).ok).toBe(true);
  expect(readJson('["\ud83d\ude00"]')).toEqual({ ok: true, value: ["\ud83d\ude00"] });
});

test("an escaped lone surrogate is refused by the strict reader, returned by the reader of text that is checked later, and kept as unparsed text by the tolerant reader", () => {
  const text = '["\\ud800"]';
  expect(readJson(text)).toEqual({ ok: false, reason: "a text holds a lone surrogate at character 2" });
  expect(readCarrier(text)).toEqual({ ok: true, value: ["\ud800"] });
  const read = readTolerantly(text);
  expect(read.ok && findOddity((read.value as readonly Json[])[0])).toEqual({
    source: '"\\ud800"',
    reason: "a text holds a lone surrogate",
  });
});

test("tolerant reading refuses an unknown escape and an unfinished text", () => {
  expect(readTolerantly('["\\x"]')).toEqual({ ok: false, reason: "an escape is not known at character 3" });
  expect(readTolerantly('["\\u0061')).toEqual({
    ok: false,
    reason: "a text is not closed or holds a control character at character 9",
  });
});

test("the reader of text that is checked later rounds numbers outside of the exact range, and no other numbers", () => {
  const most = Number.MAX_VALUE;
  const numbers = "[-0,1.5,9007199254740991,-9007199254740991,9007199254740993,1e999,-1e999,-1e300]";
  expect(readCarrier(numbers)).toEqual({
    ok: true,
    value: [0, 1.5, 9007199254740991, -9007199254740991, 9007199254740992, most, -most, -1e300],
  });
});

test("findOddity returns only parts that the tolerant reader kept as unparsed text", () => {
  for (const value of [undefined, null, true, 1, "a", [], {}]) expect(findOddity(value)).toBeUndefined();
});
