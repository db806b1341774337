import { spawnSync } from "node:child_process";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readArguments, renderCanonicalJson } from "./canonical-json.ts";
import { type JsonRecord, MAX_JSON_BYTES, MAX_JSON_DEPTH } from "./json-reader.ts";
import { recordOfRoundTrip } from "./round-trip.ts";
import { scribbled, written } from "./testing/written.ts";

const nested = (depth: number) => `{"a":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`;

/**
 * Returns whether our reader gives this record for the text. The comparison includes prototypes and the sign of zero;
 * `toStrictEqual` would misread a member named `constructor`.
 */
function agree(text: string, record: JsonRecord | undefined): boolean {
  return isDeepStrictEqual(readArguments(text), { ok: true, value: { value: record, text } });
}

/**
 * Texts that the fast path must leave to our reader, by description. Node's parser and writer would return some of
 * these texts unchanged, or read some of them as another value.
 */
const LEFT_TO_OUR_READER: Readonly<Record<string, string>> = {
  "a lone surrogate, escaped": '{"a":"\\ud800"}',
  "a surrogate pair, escaped": '{"a":"\\ud83d\\ude00"}',
  "a lone surrogate in a name": '{"\\udc00":1}',
  "a lone surrogate, raw": '{"a":"\ud800"}',
  "the name of the prototype": '{"__proto__":1}',
  "the name of the prototype in a nested record": '{"a":[{"__proto__":1}]}',
  "an integer without an exact number": '{"a":9007199254740992}',
  "a large integer in exponent form": '{"a":1e+21}',
  "a number out of range": '{"a":1e999}',
  "a negative zero": '{"a":-0}',
  "the same name twice": '{"a":1,"a":1}',
  "the same name twice with other values": '{"a":1,"a":2}',
  "names in descending order": '{"b":1,"a":1}',
  "names that the engine reorders": '{"a":1,"1":1}',
  "names in the engine's numeric order": '{"9":1,"10":1}',
  "nested names in descending order": '{"a":[{"b":1,"a":1}]}',
  "a blank": '{"a": 1}',
  "a number with a trailing zero": '{"a":1.0}',
  "an unnecessary escape": '{"\\u0061":1}',
  "more than the maximum length": `{"a":"${"a".repeat(MAX_JSON_BYTES / 3)}"}`,
  "deeper than the maximum depth": nested(MAX_JSON_DEPTH + 1),
  "much deeper than the maximum depth": nested(80_000),
  "a list": "[]",
  "a text": '"a"',
  null: "null",
  nothing: "",
  "a byte order mark": "\ufeff{}",
};

for (const [what, text] of Object.entries(LEFT_TO_OUR_READER)) {
  test(`the engine's JSON parser is not used for these arguments: ${what}`, () => {
    expect(recordOfRoundTrip(text)).toBeUndefined();
  });
}

const TAKEN: readonly string[] = [
  "{}",
  '{"1":1,"2":2,"a":3}',
  '{"path":"/reports/today.txt"}',
  '{"a":"line\\nline \\"said\\" \\\\ \\u0001","é":"😀","€":[null,true,1.5,{"b":-1e-7}]}',
  '{"a":9007199254740991,"constructor":{},"toString":[]}',
  nested(MAX_JSON_DEPTH),
];

for (const text of TAKEN) {
  test(`returns canonical arguments unchanged: ${text}`, () => {
    expect(agree(text, recordOfRoundTrip(text))).toBe(true);
  });
}

test("Node.js without its just-in-time compiler is recognised by its missing WebAssembly", () => {
  const { stdout } = spawnSync(process.execPath, ["--jitless", "-p", '"WebAssembly" in globalThis'], {
    encoding: "utf8",
  });
  expect(stdout.trim()).toBe("false");
  expect("WebAssembly" in globalThis).toBe(true);
});

test("a record of a round trip has only the names in its text at every level, and inherits no others", () => {
  const record = recordOfRoundTrip('{"a":[{}],"b":{"c":1}}');
  const inner = [record, record?.["a"], record?.["b"]].flat() as readonly object[];
  expect(inner).toHaveLength(3);
  for (const one of inner) for (const name of ["constructor", "toString", "__proto__"]) expect(name in one).toBe(false);
});

test("property: arguments that survive a round trip are canonical, and our own reader agrees", () => {
  let taken = 0;
  fc.assert(
    fc.property(fc.oneof(written(), written().chain(scribbled)), (text) => {
      const record = recordOfRoundTrip(text);
      if (record === undefined) return;
      taken += 1;
      expect(renderCanonicalJson(record)).toBe(text);
      expect(agree(text, record)).toBe(true);
    }),
    { numRuns: 5000 },
  );
  // The property must have been tested on many accepted texts.
  expect(taken).toBeGreaterThan(500);
});

test("property: the engine's JSON parser is used for all arguments that survive a round trip", () => {
  fc.assert(
    fc.property(written(), (text) => {
      const args = readArguments(text);
      if (!args.ok || args.value.text.includes("\\ud")) return;
      const { value, text: canonical } = args.value;
      const comesBack = JSON.stringify(JSON.parse(canonical)) === canonical;
      expect(isDeepStrictEqual(recordOfRoundTrip(canonical), comesBack ? value : undefined)).toBe(true);
    }),
    { numRuns: 2000 },
  );
});
