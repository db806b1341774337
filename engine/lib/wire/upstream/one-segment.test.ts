import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeMessage } from "../index.ts";
import { SystemManifest } from "./generated/upstream.ts";
import { mergeSegments } from "./one-segment.ts";

const MOST = 1024 * 1024;

/** Returns a message of segments, whose words are given as low and high halves. */
function message(...segments: readonly (readonly (readonly [number, number])[])[]): Uint8Array {
  const table = [segments.length - 1, ...segments.map(({ length }) => length)];
  const words = [...table, ...(table.length % 2 === 0 ? [] : [0]), ...segments.flat(2)];
  return new Uint8Array(Uint32Array.from(words, (word) => word >>> 0).buffer);
}

const FAR = (segment: number, offset: number, double = 0): readonly [number, number] => [
  2 | double | (offset << 3),
  segment,
];
/** Root pointer of a manifest: one data word and four pointers. */
const ROOT: readonly [number, number] = [0, 1 | (4 << 16)];
const STRUCT: readonly (readonly [number, number])[] = [
  [7, 0],
  [0, 0],
  [0, 0],
  [0, 0],
  [0, 0],
];

function versionOf(bytes: Uint8Array): number | string {
  const one = mergeSegments(bytes, MOST);
  const read = one.ok ? decodeMessage(SystemManifest, one.value) : one;
  return read.ok ? read.value.schemaVersion : read.reason;
}

test("follows a far pointer through its landing pad to the target", () => {
  expect(versionOf(message([FAR(1, 0)], [ROOT, ...STRUCT]))).toBe(7);
});

test("follows a double far pointer to the target that its landing pad names", () => {
  expect(versionOf(message([FAR(1, 0, 4)], [FAR(2, 0), ROOT], STRUCT))).toBe(7);
});

test("returns a message of one segment unchanged", () => {
  const bytes = message([ROOT, ...STRUCT]);
  expect(mergeSegments(bytes, MOST)).toEqual({ ok: true, value: bytes });
});

test.each<readonly [string, Uint8Array]>([
  ["a missing segment", message([FAR(2, 0)], [ROOT, ...STRUCT])],
  ["a place beyond its segment", message([FAR(1, 9)], [ROOT, ...STRUCT])],
  ["another far pointer", message([FAR(1, 0)], [FAR(0, 0)])],
  ["its own pointer", message([FAR(0, 0)], [ROOT])],
  ["a missing root", message([], [ROOT, ...STRUCT])],
  ["more words than it has", message([FAR(1, 0)], [[0, 1 | (9 << 16)], ...STRUCT])],
  [
    "a list of itself",
    message(
      [FAR(1, 0)],
      [
        [1, 6 | (2 << 3)],
        [(-1 << 2) | 1, 6 | (1 << 3)],
        [0, 0],
      ],
    ),
  ],
  ["half a word", message([FAR(1, 0)], [ROOT, ...STRUCT]).subarray(0, 50)],
])("refuses a message whose pointers lead to %s", (_, bytes) => {
  expect(versionOf(bytes)).toEqual(expect.any(String));
});

test("returns a value or a reason for any bytes", () => {
  const words = fc.array(fc.tuple(fc.nat(63), fc.nat(0xfffff)), { maxLength: 12 });
  const words32 = words.map((all) => all.map(([low, high]) => [low, high] as const));
  fc.assert(
    fc.property(fc.array(words32, { minLength: 2, maxLength: 4 }), (segments) => {
      expect(["number", "string"]).toContain(typeof versionOf(message(...segments)));
    }),
  );
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => mergeSegments(bytes, MOST).ok || true));
});
