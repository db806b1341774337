import fc from "fast-check";
import { expect, test } from "vitest";
import type { Param, Type } from "../wire/generated/policy.ts";
import { checkRecord } from "./arguments.ts";
import { readArguments, renderCanonicalJson } from "./canonical-json.ts";
import { buildOutline, isFittingAtSight } from "./plain-arguments.ts";
import { scribbled, written } from "./testing/written.ts";

const text = (maxBytes = 0): Type => ({ which: "text", text: { maxBytes } });
const param = (name: string, required = true, type = text()): Param => ({ name, type, required });

const WRITE = [param("path"), param("content"), param("kind", false), param("author", false)];

function fits(params: readonly Param[], json: string): boolean {
  const outline = buildOutline(params);
  return outline !== undefined && isFittingAtSight(outline, json);
}

/** Returns whether `readArguments` and `checkRecord` accept a text unchanged. */
function isTaken(params: readonly Param[], json: string): boolean {
  const args = readArguments(json);
  return args.ok && args.value.text === json && checkRecord(params, args.value.value) === undefined;
}

for (const json of [
  '{"content":"b","path":"a"}',
  '{"content":"","path":""}',
  '{"author":"me","content":"b","path":"/reports/today.txt"}',
  '{"content":"b","kind":"{},:[]","path":"a"}',
  '{"author":"é€\ufb33","content":"\u007f","kind":" ","path":"\u2028"}',
]) {
  test(`a tool's pattern of plain arguments accepts: ${json}`, () => {
    expect(isTaken(WRITE, json)).toBe(true);
    expect(fits(WRITE, json)).toBe(true);
  });
}

const LEFT_TO_THE_READER: Readonly<Record<string, string>> = {
  "names in another order": '{"path":"a","content":"b"}',
  "a missing name": '{"content":"b"}',
  "an unknown name": '{"content":"b","path":"a","size":"1"}',
  "the same name twice": '{"content":"b","content":"b","path":"a"}',
  "an optional name twice": '{"author":"b","author":"b","content":"b","path":"a"}',
  "a blank": '{"content":"b", "path":"a"}',
  "a line break after the end": '{"content":"b","path":"a"}\n',
  "a line break before the beginning": '\n{"content":"b","path":"a"}',
  "a value of another type": '{"content":"b","path":1}',
  "an escape": '{"content":"\\n","path":"a"}',
  "an escaped quotation mark": '{"content":"\\"","path":"a"}',
  "a control character": '{"content":"\u0000","path":"a"}',
  "the last control character": '{"content":"\u001f","path":"a"}',
  "a surrogate pair": '{"content":"\ud83d\ude00","path":"a"}',
  "a lone surrogate": '{"content":"\ud800","path":"a"}',
  "a superfluous comma": '{,"content":"b","path":"a"}',
  "a missing comma": '{"author":"c""content":"b","path":"a"}',
  "an argument beyond the maximum length": `{"content":"b","path":"${"a".repeat(300)}"}`,
  nothing: "",
};

for (const [what, json] of Object.entries(LEFT_TO_THE_READER)) {
  test(`a tool's pattern of plain arguments does not accept: ${what}`, () => expect(fits(WRITE, json)).toBe(false));
}

test("the pattern accepts an argument only up to the length at which any characters fit its limit in bytes", () => {
  const params = [param("path", true, text(62)), param("kind", false)];
  const isShort = (character: string, times: number) => fits(params, `{"path":"${character.repeat(times)}"}`);
  expect([20, 21].map((times) => isShort("€", times))).toEqual([true, false]);
  expect([20, 21].map((times) => isShort("a", times))).toEqual([true, false]);
  expect(fits(params, `{"kind":"","path":"${"€".repeat(20)}"}`)).toBe(false);
  const beside = (times: number) => fits([...params, param("by")], `{"by":"","path":"${"€".repeat(times)}"}`);
  expect([20, 21].map(beside)).toEqual([true, false]);
});

test("no pattern is made for a tool without required texts, or with a required argument of another type", () => {
  const lines: Type = { which: "integer", integer: { low: 0n, high: 9n } };
  expect(buildOutline([])).toBeUndefined();
  expect(buildOutline([param("path", false)])).toBeUndefined();
  expect(buildOutline([param("path"), param("lines", true, lines)])).toBeUndefined();
  expect(fits([param("path"), param("lines", false, lines)], '{"path":"a"}')).toBe(true);
  expect(fits([param("path"), param("lines", false, lines)], '{"lines":"a","path":"a"}')).toBe(false);
});

test("no pattern is made for a tool with repeated names, or with names that a pattern or the engine treats specially", () => {
  for (const name of ["__proto__", "a.b", "a|b", "", "1", "é", 'a"', "a\\"]) {
    expect(buildOutline([param("path"), param(name, false)])).toBeUndefined();
  }
  expect(buildOutline([param("path"), param("path", false)])).toBeUndefined();
  expect(buildOutline([param("path"), param("path", false, { which: "boolean" })])).toBeUndefined();
});

const TOOLS: readonly (readonly Param[])[] = [
  WRITE,
  [param("path", true, text(9))],
  [param("b", true, text(60)), param("a", false, { which: "boolean" }), param("Z", false)],
  [param("constructor", false), param("toString"), param("a_1", false, text(600))],
  [param("a", false), param("b", false), param("c"), param("d", false), param("e")],
];

/** Makes the JSON of arguments with a text for each text parameter of a tool, in canonical or other order. */
function callOf(params: readonly Param[]): fc.Arbitrary<string> {
  const value = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom("", "a", "/reports/today.txt", "é€", "\u007f", "a".repeat(90)) },
    { weight: 1, arbitrary: fc.constantFrom("\u001f", "\\", '"', "\n", "\ud800", "😀", "a".repeat(250)) },
    { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 4 }) },
  );
  const names = params.filter(({ type }) => type.which === "text").map(({ name }) => name);
  const required = params.filter((one) => one.required).map(({ name }) => name);
  const record = fc.record(Object.fromEntries(names.map((name) => [name, value])), { requiredKeys: required });
  return fc.tuple(record, fc.boolean()).map(([one, ordered]) => {
    const members = Object.entries(one).map(([name, found]) => `${JSON.stringify(name)}:${JSON.stringify(found)}`);
    return `{${(ordered ? members.sort() : members).join(",")}}`;
  });
}

for (const params of TOOLS) {
  test(`property: arguments that the pattern accepts are canonical and valid: ${params.map(({ name }) => name)}`, () => {
    let seen = 0;
    const call = callOf(params);
    fc.assert(
      fc.property(fc.oneof(call, call.chain(scribbled), written()), (json) => {
        if (!fits(params, json)) return;
        seen += 1;
        expect(isTaken(params, json)).toBe(true);
      }),
      { numRuns: 2000 },
    );
    // The property must have been tested on many accepted calls.
    expect(seen).toBeGreaterThan(100);
  });
}

test("property: the pattern accepts canonical arguments of short texts without escapes, if no required one is missing", () => {
  const plain = fc.stringMatching(/^[ !#-[\]-~é€]{0,9}$/);
  const anyRecord: fc.Arbitrary<Readonly<Record<string, string>>> = fc.record(
    { path: plain, content: plain, kind: plain, author: plain },
    { requiredKeys: ["path", "content"] },
  );
  fc.assert(
    fc.property(anyRecord, (record) => {
      expect(fits(WRITE, renderCanonicalJson({ ...record }))).toBe(true);
    }),
  );
});
