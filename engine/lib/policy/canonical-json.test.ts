import { expect, test } from "vitest";
import { canonicalizeArguments, isList, isRecord, renderCanonicalJson } from "./canonical-json.ts";

test.each([
  [[{ b: 1, a: [{ d: null, c: true }] }], '[{"a":[{"c":true,"d":null}],"b":1}]'],
  [[[], [[1, "x"]]], '[[],[[1,"x"]]]'],
  [{ b: {}, a: [], 10: 1, 9: 2 }, '{"10":1,"9":2,"a":[],"b":{}}'],
  [null, "null"],
  ['a"\n', '"a\\"\\n"'],
])("the canonical text of %j sorts the names of each record, at any depth", (value, text) => {
  expect(renderCanonicalJson(value)).toBe(text);
});

test("returns the value and canonical text of any arguments, or the reason for a refusal", () => {
  expect(canonicalizeArguments('{ "b": 1, "a": [2] }')).toEqual({
    ok: true,
    value: { value: { b: 1, a: [2] }, text: '{"a":[2],"b":1}' },
  });
  expect(canonicalizeArguments("[1]")).toEqual({ ok: false, reason: "the arguments are not a JSON object" });
  expect(canonicalizeArguments("null")).toEqual({ ok: false, reason: "the arguments are not a JSON object" });
  expect(canonicalizeArguments("{")).toEqual({
    ok: false,
    reason: "the arguments are not acceptable JSON: a name in quotes is expected at character 2",
  });
});

test("distinguishes records, lists and other values", () => {
  const values = [{}, [], null, "a", 1, true];
  expect(values.map(isRecord)).toEqual([true, false, false, false, false, false]);
  expect(values.map(isList)).toEqual([false, true, false, false, false, false]);
});
