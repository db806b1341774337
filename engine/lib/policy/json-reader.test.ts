import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalizeArguments, renderCanonicalJson } from "./canonical-json.ts";
import {
  findOddity,
  type Json,
  MAX_JSON_BYTES,
  MAX_JSON_DEPTH,
  readCarrier,
  readForm,
  readJson,
  readTolerantly,
} from "./json-reader.ts";

const REFUSED: Readonly<Record<string, [text: string, why: RegExp]>> = {
  "the same name twice": ['{"a":1,"a":1}', /stands twice/],
  "the same name twice, once escaped": ['{"a":1,"\\u0061":2}', /stands twice/],
  "the name of the prototype": ['{"__proto__":{}}', /__proto__/],
  "the name of the prototype, escaped": ['{"\\u005f_proto__":1}', /__proto__/],
  "a lone surrogate, escaped": ['{"a":"\\ud800"}', /lone surrogate/],
  "a lone surrogate, raw": ['{"a":"\ud800"}', /lone surrogate/],
  "an integer without an exact number": ['{"a":9007199254740993}', /2\^53/],
  "a large integer in exponent form": ['{"a":1e300}', /2\^53/],
  "a number out of range": ['{"a":1e999}', /too large/],
  "a leading zero": ['{"a":01}', /expected/],
  "a plus sign": ['{"a":+1}', /expected/],
  "a bare word": ['{"a":nul}', /expected/],
  "a comma at the end": ['{"a":1,}', /name in quotes/],
  "a comment": ['{/**/"a":1}', /name in quotes/],
  "a raw line break in a text": ['{"a":"\n"}', /control character/],
  "an unfinished text": ['{"a":"', /not closed/],
  "an unknown escape": ['{"a":"\\x"}', /escape/],
  "two values": ["{}{}", /follows/],
  nothing: ["", /expected/],
  "a byte order mark": ["\ufeff{}", /expected/],
  "a text instead of a record": ['"a"', /not a JSON object/],
  "a list instead of a record": ["[]", /not a JSON object/],
};

for (const [what, [text, why]] of Object.entries(REFUSED)) {
  test(`refuses arguments: ${what}`, () => {
    expect(canonicalizeArguments(text)).toMatchObject({ ok: false, reason: expect.stringMatching(why) });
  });
}

test.each([
  ['{"a":01}', '"}" is expected at character 7'],
  ['{"a" 1}', '":" is expected at character 6'],
  ['{"a', "a text is not closed or holds a control character at character 4"],
  ['{"\\u0061', "a text is not closed or holds a control character at character 9"],
  ['{"a":1,"b":2,"a":3}', "the same name stands twice at character 14"],
  ['{"a":1,"__proto__":2}', "the name __proto__ is not accepted at character 8"],
  ['["\\u12"]', "an escape is not known at character 3"],
  ["[1e999]", "a number is too large at character 2"],
  ["[1] 2", "something follows the value at character 5"],
])("a refusal names the fault and its character, counted from 1: %s", (text, reason) => {
  expect(readJson(text)).toEqual({ ok: false, reason });
});

test("accepts true, false and null, and no other word", () => {
  expect(readJson("[true,false,null]")).toEqual({ ok: true, value: [true, false, null] });
  for (const word of ["trux", "falsy", "nulx", "nil"]) {
    expect(readJson(`[${word}]`)).toEqual({ ok: false, reason: "a value is expected at character 2" });
  }
});

test("accepts JSON's four kinds of white space between tokens, and no others", () => {
  const spread = (blank: string) => canonicalizeArguments(["", "{", '"a"', ":", "[1", ",", "2]", "}", ""].join(blank));
  for (const blank of [" ", "\t", "\n", "\r", "\r\n\t "]) {
    expect(spread(blank)).toMatchObject({ ok: true, value: { text: '{"a":[1,2]}' } });
  }
  for (const blank of ["\u0000", "\u000b", "\u000c", "\u001f", "\u00a0", "\u2028", "\ufeff"]) {
    expect(spread(blank).ok).toBe(false);
  }
});

test("decodes a four-digit escape as one character, and accepts only JSON's other escapes", () => {
  const read = (text: string) => canonicalizeArguments(`{"a":"${text}"}`);
  expect(read("\\u0062\\u00E9")).toMatchObject({ value: { text: '{"a":"bé"}' } });
  expect(read("\\n0062")).toMatchObject({ value: { value: { a: "\n0062" } } });
  expect(read('\\"\\\\\\/\\b\\f\\n\\r\\t')).toMatchObject({ value: { value: { a: '"\\/\b\f\n\r\t' } } });
  for (const text of ["\\u12", "\\u12g4", "\\U0062", "\\0"]) expect(read(text).ok).toBe(false);
});

test("records have the same depth limit as lists", () => {
  const nested = (depth: number) => `${'{"a":'.repeat(depth - 1)}{}${"}".repeat(depth - 1)}`;
  expect(readJson(nested(MAX_JSON_DEPTH)).ok).toBe(true);
  expect(readJson(nested(MAX_JSON_DEPTH + 1))).toMatchObject({ reason: expect.stringMatching(/deeper/) });
});

test("reads negative zero as zero", () => {
  expect(readJson("[-0,0]")).toEqual({ ok: true, value: [0, 0] });
});

const FORMS: Readonly<Record<string, boolean>> = {
  "{}": true,
  '{"a":1,"b":[true,{"c":"é"}]}': true,
  '{"10":1,"9":2}': true,
  '{"b":1,"a":2}': false,
  '{"a":{"b":1,"a":2}}': false,
  '{"a":1.0}': false,
  '{"a":-0}': false,
  '{"a":1e2}': false,
  '{"a": 1}': false,
  '{"a":"\\u0061"}': false,
};

for (const [text, isCanonical] of Object.entries(FORMS)) {
  test(`reports that a text is ${isCanonical ? "canonical" : "not canonical"}: ${text}`, () => {
    expect(readForm(text)).toMatchObject({ ok: true, value: { isCanonical } });
    const args = canonicalizeArguments(text);
    expect(args.ok && args.value.text === text).toBe(isCanonical);
  });
}

test("checks depth and length before it builds a value", () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  expect(readJson(nested(MAX_JSON_DEPTH)).ok).toBe(true);
  expect(readJson(nested(MAX_JSON_DEPTH + 1))).toMatchObject({ reason: expect.stringMatching(/deeper/) });
  expect(readJson("[".repeat(MAX_JSON_BYTES))).toMatchObject({ reason: expect.stringMatching(/deeper/) });
  expect(readJson(`"${"a".repeat(MAX_JSON_BYTES)}"`)).toMatchObject({ reason: expect.stringMatching(/longer/) });
  expect(readJson(`"${"€".repeat(MAX_JSON_BYTES / 2)}"`)).toMatchObject({ reason: expect.stringMatching(/longer/) });
  expect(readJson(`"${"a".repeat(MAX_JSON_BYTES - 2)}"`).ok).toBe(true);
});

test("a caller may set another maximum length", () => {
  const text = `"${"€".repeat(MAX_JSON_BYTES)}"`;
  expect(readJson(text, Buffer.byteLength(text)).ok).toBe(true);
  expect(readJson(text, Buffer.byteLength(text) - 1)).toMatchObject({ reason: expect.stringMatching(/longer than/) });
  expect(readJson("[]", 1).ok).toBe(false);
});

test("the canonical text follows RFC 8785", () => {
  const source = '{"\\u20ac":"Euro","\\r":"CR","\\ufb33":0,"1":"One","\\ud83d\\ude00":1,"\\u0080":2,"\\u00f6":3}';
  expect(canonicalizeArguments(source)).toMatchObject({
    value: expect.anything(),
    ok: true,
  });
  const result = canonicalizeArguments(source);
  expect(result.ok && result.value.text).toBe(
    '{"\\r":"CR","1":"One","\u0080":2,"ö":3,"€":"Euro","\u{1f600}":1,"\ufb33":0}',
  );
  const numbers = canonicalizeArguments('{"n":[333333333.33333329, 4.50, 2e-3, -0, 1E+2, 1e-27]}');
  expect(numbers.ok && numbers.value.text).toBe('{"n":[333333333.3333333,4.5,0.002,0,100,1e-27]}');
});

test("property: canonical text is read as an equal value, whose canonical text is the same", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue({ maxDepth: 4 })), (value) => {
      const first = canonicalizeArguments(JSON.stringify(value));
      if (!first.ok) return;
      expect(canonicalizeArguments(first.value.text)).toEqual(first);
      expect(renderCanonicalJson(first.value.value)).toBe(first.value.text);
      expect(JSON.parse(first.value.text)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test("property: canonical arguments are the canonical text of their value, in whatever form they arrive", () => {
  const loose = fc.array(
    fc.constantFrom(
      '"a"',
      '"b"',
      '"1"',
      ":",
      ":",
      ",",
      "{",
      "}",
      "[",
      "]",
      " ",
      "0",
      "1.0",
      "10",
      "1e1",
      "-0",
      '"\\u0062"',
      '"€"',
    ),
    { maxLength: 7 },
  );
  const written = fc.oneof(
    scribbled(),
    loose.map((parts) => `{${parts.join("")}}`),
    fc
      .dictionary(fc.constantFrom("b", "a", "10", "9", "é"), fc.jsonValue({ maxDepth: 2 }))
      .map((value) => JSON.stringify(value)),
  );
  fc.assert(
    fc.property(written, (text) => {
      const args = canonicalizeArguments(text);
      if (args.ok) expect(args.value.text).toBe(renderCanonicalJson(args.value.value));
    }),
    { numRuns: 3000 },
  );
});

test("a record has only the names in its text, and inherits no others", () => {
  const read = readJson('{"a":{}}');
  expect(read.ok && Object.keys(read.value ?? {})).toEqual(["a"]);
  for (const name of ["constructor", "toString", "__proto__", "hasOwnProperty"]) {
    expect(read.ok && typeof read.value === "object" && read.value !== null && name in read.value).toBe(false);
  }
});

test("property: accepts only what JSON.parse accepts, with the same value", () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string({ unit: "binary" }), scribbled()), (text) => {
      const mine = readJson(text);
      if (mine.ok)
        expect(JSON.parse(renderCanonicalJson(mine.value))).toEqual(JSON.parse(JSON.stringify(JSON.parse(text))));
      else if (isJson(text)) expect(mine.reason).toMatch(/2\^53|__proto__|twice|surrogate|deeper|too large/);
    }),
    { numRuns: 2000 },
  );
});

/** JSON with one character changed. */
function scribbled(): fc.Arbitrary<string> {
  return fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom("{", "}", "[", ",", '"', "\\", "0", "-", "\u0000", "e", " "))
    .map(([text, at, mark]) => text.slice(0, at % text.length) + mark + text.slice((at % text.length) + 1));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns a value in which each part that the tolerant reader left unparsed is replaced by its text and the reason.
 */
function seen(value: Json): unknown {
  const oddity = findOddity(value);
  if (oddity !== undefined) return oddity;
  if (Array.isArray(value)) return value.map(seen);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, seen(one)]));
}

test.each<readonly [string, string, string, RegExp]>([
  ["an integer beyond 2^53", "9223372036854775807", "9223372036854775807", /2\^53/],
  ["a number in exponent form", "1e19", "1e19", /2\^53/],
  ["a number out of range", "-1e999", "-1e999", /too large/],
  ["a repeated name", '{ "a" : [1, " x "],\n"a":2}', '{"a":[1," x "],"a":2}', /stands twice/],
  ["the name of the prototype", '{"__proto__":{}}', '{"__proto__":{}}', /__proto__/],
  ["a lone surrogate", '"\\ud800"', '"\\ud800"', /lone surrogate/],
  ["a name with a lone surrogate", '{"\\ud800":1}', '{"\\ud800":1}', /lone surrogate/],
  ["endless nesting", "[".repeat(9000) + "]".repeat(9000), "[".repeat(8489) + "]".repeat(8489), /deeper than 512/],
])("tolerant reading keeps %s as unparsed text, and reads the values beside it", (_, part, source, reason) => {
  const read = readTolerantly(`{"good":[1,"a"],"odd":${part},"last":true}`);
  if (!read.ok || typeof read.value !== "object") throw new Error("not read");
  const { good, odd, last } = Object(seen(read.value));
  expect([good, last]).toEqual([[1, "a"], true]);
  let inner = odd;
  while (Array.isArray(inner)) inner = inner[0];
  expect(inner).toEqual({ source, reason: expect.stringMatching(reason) });
});

test("property: tolerant reading agrees with strict reading, and refuses text that is not JSON", () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string({ unit: "binary" })), (text) => {
      const [strict, tolerant] = [readJson(text), readTolerantly(text)];
      if (strict.ok) expect(tolerant).toEqual(strict);
      if (tolerant.ok) expect(() => JSON.parse(text)).not.toThrow();
    }),
  );
  for (const text of ['{"a":', "{}{}", "nul", '{"a":NaN}', "[".repeat(9000)])
    expect(readTolerantly(text).ok).toBe(false);
});

test.each(["1e+21", "-1e+21", "1e999", "-1e999", "9007199254740993"])(
  "the reader of text that is checked later reads %s, and rounds it to a number that the strict reader still refuses",
  (digits) => {
    const read = readCarrier(`{"a":[${digits}]}`);
    expect(read.ok).toBe(true);
    expect(readJson(renderCanonicalJson(read.ok ? read.value : null)).ok).toBe(false);
  },
);

test("property: the reader of text that is checked later reads everything that the strict reader accepts as the same value", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const strict = readJson(text);
      if (strict.ok) expect(readCarrier(text)).toEqual(strict);
    }),
  );
});

test.each(['{"a":1,"a":1}', '{"__proto__":1}', "[".repeat(MAX_JSON_DEPTH + 1), "{", `"${"x".repeat(MAX_JSON_BYTES)}"`])(
  "the reader of text that is checked later refuses malformed JSON, repeated names and input beyond a bound: %.20s",
  (text) => {
    expect(readCarrier(text).ok).toBe(false);
  },
);
