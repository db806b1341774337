import { expect, test } from "vitest";
import { findOddity, type Json, readCarrier, readJson, readTolerantly } from "./json-reader.ts";

const OPEN = 512;
/** Puts a text into more lists than tolerant reading follows. */
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
])("JSON deeper than tolerant reading goes is kept as its source: %s", (part) => {
  const kept = { source: part, reason: "deeper than 512 levels" };
  expect(findInnermost(deep(part)).map(findOddity)).toEqual([kept]);
  expect(findInnermost(deep(`${part},${part}`)).map(findOddity)).toEqual([kept, kept]);
});

test.each<[string, string]>([
  ["]", "a value is expected at character 515"],
  ["}", "a value is expected at character 515"],
  ["1,]", "a value is expected at character 515"],
])("behind a comma a value has to be there, however deep: %s", (part, reason) => {
  const before = part.startsWith("1") ? "" : "1,";
  expect(readTolerantly(deep(before + part))).toEqual({ ok: false, reason });
});

test.each(["[", '["a', '{"a":"\\x"}', "[nul]", "[1", "[+1]", '"a', "x", "{"])(
  "invalid JSON is refused even if its contents are not checked: %s",
  (part) => {
    expect(readTolerantly(deep(part, 0))).toEqual({ ok: false, reason: "a value is expected at character 513" });
  },
);

test("each way of reading says how deep it goes", () => {
  const nested = "[".repeat(33) + "]".repeat(33);
  const reason = "deeper than 32 levels at character 33";
  expect(readJson(nested)).toEqual({ ok: false, reason });
  expect(readCarrier(nested)).toEqual({ ok: false, reason });
  expect(readTolerantly(nested).ok).toBe(true);
});

test("half of a character as it is written is refused at once by the strict reader alone", () => {
  const text = '["\ud800"]';
  expect(readJson(text)).toEqual({ ok: false, reason: "holds a lone surrogate" });
  expect(readCarrier(text)).toEqual({ ok: true, value: ["\ud800"] });
  expect(readTolerantly(text).ok).toBe(true);
  expect(readJson('["\ud83d\ude00"]')).toEqual({ ok: true, value: ["\ud83d\ude00"] });
});

test("half of a character in an escape is refused, carried, or kept", () => {
  const text = '["\\ud800"]';
  expect(readJson(text)).toEqual({ ok: false, reason: "a text holds a lone surrogate at character 2" });
  expect(readCarrier(text)).toEqual({ ok: true, value: ["\ud800"] });
  const read = readTolerantly(text);
  expect(read.ok && findOddity((read.value as readonly Json[])[0])).toEqual({
    source: '"\\ud800"',
    reason: "a text holds a lone surrogate",
  });
});

test("tolerant reading refuses an escape that is not known, and a text that does not end", () => {
  expect(readTolerantly('["\\x"]')).toEqual({ ok: false, reason: "an escape is not known at character 3" });
  expect(readTolerantly('["\\u0061')).toEqual({
    ok: false,
    reason: "a text is not closed or holds a control character at character 9",
  });
});

test("a carrier rounds what is beyond exact numbers, and nothing else", () => {
  const most = Number.MAX_VALUE;
  const numbers = "[-0,1.5,9007199254740991,-9007199254740991,9007199254740993,1e999,-1e999,-1e300]";
  expect(readCarrier(numbers)).toEqual({
    ok: true,
    value: [0, 1.5, 9007199254740991, -9007199254740991, 9007199254740992, most, -most, -1e300],
  });
});

test("only what was kept unread has a source", () => {
  for (const value of [undefined, null, true, 1, "a", [], {}]) expect(findOddity(value)).toBeUndefined();
});
