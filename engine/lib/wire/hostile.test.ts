// Tests the reader with bytes that an attacker could craft.

import fc from "fast-check";
import { expect, test } from "vitest";
import { decode, decodeMessage } from "./decode.ts";
import { encode, encodeMessage } from "./encode.ts";
import { Entry, Everything, Server, ServerGiveParams, Tree } from "./fixture/generated/everything.ts";
import { LAYOUTS } from "./fixture/layouts.ts";
import { valuesOf } from "./fixture/values.ts";
import { AuditRecord } from "./generated/audit.ts";
import { Manifest } from "./generated/manifest.ts";
import { PolicyTables } from "./generated/policy.ts";
import { Frame } from "./generated/wire.ts";
import type { StructLayout } from "./layout.ts";
import { FILE_LIMITS, FRAME_LIMITS } from "./limits.ts";

/** Encodes pointers as numbers. Offsets count words from the word after the pointer. */
const struct = (offset: number, dataWords: number, pointers: number) =>
  BigInt.asUintN(32, BigInt(offset) << 2n) | (BigInt(dataWords) << 32n) | (BigInt(pointers) << 48n);
const list = (offset: number, elements: number, count: number) =>
  BigInt.asUintN(32, BigInt(offset) << 2n) | 1n | (BigInt(elements) << 32n) | (BigInt(count) << 35n);
const FAR = 2n;
const CAPABILITY = 3n;

function words(...all: readonly bigint[]): Uint8Array {
  return bytesOf(all);
}

function bytesOf(all: readonly bigint[]): Uint8Array {
  return new Uint8Array(BigUint64Array.from(all).buffer);
}

function refusal(layout: StructLayout<unknown>, bytes: Uint8Array, limits = FILE_LIMITS): string {
  const decoded = decode(layout, bytes, limits);
  return decoded.ok ? "taken" : decoded.reason;
}

const entryWith = (name: bigint, tags: bigint, ...rest: readonly bigint[]) =>
  words(struct(0, 2, 3), 0n, 0n, name, 0n, tags, ...rest);

test.each([
  ["an empty message", new Uint8Array(0), "0 bytes are not a number of words"],
  ["half a word", new Uint8Array(12), "12 bytes are not a number of words"],
  ["a list as root", words(list(0, 2, 1), 0n), "there is a list where a struct belongs"],
  ["a far pointer", words(FAR), "there is a pointer to another segment where a struct belongs"],
  ["a capability", words(CAPABILITY), "there is a capability where a struct belongs"],
  ["a struct beyond the end", words(struct(0, 1, 0)), "a pointer leads out of the message"],
  ["a struct before the beginning", words(struct(-2, 1, 0), 0n), "a pointer leads out of the message"],
  [
    "a struct that holds its own pointer",
    words(struct(-1, 1, 0)),
    "pointers overlap: some words would be read more than once",
  ],
  [
    "a text without its zero byte",
    entryWith(list(2, 2, 8), 0n, 0x6161616161616161n),
    "a text does not end with a zero byte",
  ],
  ["an empty text without its zero byte", entryWith(list(2, 2, 0), 0n), "a text does not end with a zero byte"],
  ["a text that is not UTF-8", entryWith(list(2, 2, 3), 0n, 0x00fffen), "a text is not UTF-8"],
  ["a text with a lone surrogate", entryWith(list(2, 2, 4), 0n, 0x0080a0edn), "a text is not UTF-8"],
  ["a text of an overlong form", entryWith(list(2, 2, 3), 0n, 0x0080c0n), "a text is not UTF-8"],
  ["a struct instead of a text", entryWith(struct(2, 1, 0), 0n, 0n), "there is a struct where a list belongs"],
  [
    "a list of bytes instead of numbers",
    entryWith(0n, list(0, 2, 8), 0n),
    "a list has elements of layout 2 instead of 4",
  ],
  [
    "a list of structs instead of numbers",
    entryWith(0n, list(0, 7, 1), 0n, 0n),
    "a list has elements of layout 7 instead of 4",
  ],
  [
    "a list that is longer than the message",
    entryWith(0n, list(0, 4, 2 ** 29 - 1)),
    "a pointer leads out of the message",
  ],
  ["a far pointer inside", entryWith(FAR, 0n), "there is a pointer to another segment where a list belongs"],
])("refuses %s", (_what, bytes, reason) => {
  expect(refusal(Entry, bytes)).toBe(reason);
});

test("refuses a pointer where the layout has a capability", () => {
  expect(Object.keys(Server.methods)).toEqual(["give", "take"]);
  const found = encode(Everything, { ...emptyEverything(), choice: { which: "capability", capability: null } });
  const pointers = new DataView(found.buffer);
  // The pointer of the union is the last pointer of the root struct, and the last word of the message.
  const grown = withRootPointer(found, pointers, CAPABILITY);
  expect(refusal(Everything, grown)).toBe("there is a pointer where a capability would stand");
});

function emptyEverything(): Everything {
  const decoded = decode(Everything, new Uint8Array(8));
  if (!decoded.ok) throw new Error(decoded.reason);
  return decoded.value;
}

/**
 * Returns the message with room for all pointers of the root struct. They are null, except that the pointer of the
 * field `choice` is `pointer`.
 */
function withRootPointer(bytes: Uint8Array, view: DataView, pointer: bigint): Uint8Array {
  const dataWords = view.getUint16(4, true);
  const grown = new Uint8Array(8 + (dataWords + Everything.pointers) * 8);
  grown.set(bytes);
  const into = new DataView(grown.buffer);
  into.setUint16(6, Everything.pointers, true);
  into.setBigUint64(8 + (dataWords + choicePointer()) * 8, pointer, true);
  return grown;
}

function choicePointer(): number {
  const choice = Everything.shape().fields.find((field) => field.name === "choice");
  if (choice?.type.kind !== "group") throw new Error("choice is a group");
  const member = choice.type.shape.union?.members.find((one) => one.name === "capability");
  return member?.offset ?? -1;
}

test.each([
  [
    "a list of half a billion structs without size",
    words(struct(0, 1, 1), 1n, list(0, 7, 0), struct(0x1fffffff, 0, 0)),
    "lists claim more than 65536 elements of no size",
  ],
  [
    "a list of structs in more words than it has",
    words(struct(0, 1, 1), 1n, list(0, 7, 1), struct(2, 1, 0), 0n),
    "a list of structs is longer than the words it claims",
  ],
  [
    "a list of structs whose tag is a list",
    words(struct(0, 1, 1), 1n, list(0, 7, 0), list(0, 0, 0)),
    "a list of structs begins with a tag that is not one of a struct",
  ],
  [
    "a list of bytes instead of structs",
    words(struct(0, 1, 1), 1n, list(0, 2, 8), 0n),
    "a list of structs has elements of another layout",
  ],
  [
    "a tree that contains itself",
    words(struct(0, 1, 1), 2n, struct(-3, 1, 1)),
    "pointers overlap: some words would be read more than once",
  ],
  ["an unknown member of a union", words(struct(0, 1, 0), 3n), "a union has the member 3, which is not known here"],
])("refuses %s", (_what, bytes, reason) => {
  expect(refusal(Tree, bytes)).toBe(reason);
});

test("refuses a list of half a billion voids without allocating it", () => {
  const { name, layout } = { name: "voids", layout: Everything };
  const at = layout.shape().fields.find((field) => field.name === name)?.offset ?? -1;
  const pointers = Array.from({ length: Everything.pointers }, (_, index) =>
    index === at ? list(0, 0, 2 ** 29 - 1) : 0n,
  );
  expect(refusal(Everything, words(struct(0, 0, Everything.pointers), ...pointers))).toContain("elements of no size");
});

test("refuses a tree with shared branches, whose size would double at every level", () => {
  // Each level is a list of two elements, which both point to the next level.
  const level = [struct(2, 1, 1), 1n, list(2, 7, 4), 1n, list(0, 7, 4)];
  const levels = Array.from({ length: 24 }, () => level).flat();
  const bytes = words(struct(0, 1, 1), 1n, list(0, 7, 4), ...levels, struct(2, 1, 1), 0n, 0n, 0n, 0n);
  expect(refusal(Tree, bytes)).toBe("pointers overlap: some words would be read more than once");
});

test("refuses values that are nested deeper than the limit", () => {
  const chain = (depth: number) => bytesOf([...Array.from({ length: depth }, () => [struct(0, 1, 1), 2n]).flat(), 0n]);
  expect(decode(Tree, chain(32)).ok).toBe(true);
  expect(refusal(Tree, chain(33))).toBe("values are nested more than 32 deep");
  expect(refusal(Tree, chain(100_000))).toBe("values are nested more than 32 deep");
});

test("the limits of a frame are lower than the limits of a file", () => {
  expect(refusal(Entry, new Uint8Array(1024 * 1024), FRAME_LIMITS)).toBe("1048576 bytes are more than 1048568");
});

test.each([
  ["no header", new Uint8Array(7), "7 bytes are too few for a header"],
  ["two segments", words(1n, 0n), "the message has 2 segments; only one is taken"],
  ["four billion segments", words(0xffffffffn), "the message has 4294967296 segments; only one is taken"],
  ["fewer words than claimed", words(2n << 32n, 0n), "the header claims 2 words; 8 bytes follow"],
  ["more words than claimed", words(1n << 32n, 0n, 0n), "the header claims 1 words; 16 bytes follow"],
])("refuses a message with %s", (_what, bytes, reason) => {
  expect(decodeMessage(Entry, bytes)).toEqual({ ok: false, reason });
});

test("refuses a message that has more values than the limit, whatever their kind", () => {
  const tags = Array.from({ length: 1000 }, (_, at) => at);
  const flags = tags.map((at) => at % 2 === 0);
  const texts = tags.map(() => "");
  const entries = tags.map((at): Entry => ({ name: "", path: "", kind: at, weight: 0n, tags: [] }));
  for (const fields of [{ words: tags }, { flags }, { texts }, { entries }, { voids: tags.map(() => undefined) }]) {
    const bytes = encode(Everything, { ...emptyEverything(), ...fields } as Everything);
    expect(refusal(Everything, bytes, { ...FILE_LIMITS, values: 1000 })).toBe(
      "the message holds more values than are taken",
    );
    expect(refusal(Everything, bytes, { ...FILE_LIMITS, values: 7000 })).toBe("taken");
  }
});

/** Random words that are valid pointers more often than by chance. */
const likelyWords = fc.array(
  fc.oneof(
    fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    fc
      .tuple(fc.integer({ min: -8, max: 24 }), fc.integer({ min: 0, max: 7 }), fc.integer({ min: 0, max: 40 }))
      .map(([a, b, c]) => list(a, b, c)),
    fc
      .tuple(fc.integer({ min: -8, max: 24 }), fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 8 }))
      .map(([a, b, c]) => struct(a, b, c)),
    fc.bigInt({ min: 0n, max: 4n }),
  ),
  { minLength: 1, maxLength: 60 },
);

test.each(LAYOUTS)("$title: random words decode to a reason, or to a value that can be encoded again", ({ layout }) => {
  fc.assert(
    fc.property(likelyWords, (all) => {
      const decoded = decode(layout, words(...all));
      if (decoded.ok) expect(decode(layout, encode(layout, decoded.value))).toEqual(decoded);
      else expect(decoded.reason).not.toBe("");
    }),
    { numRuns: 100 },
  );
});

const mutated: readonly StructLayout<unknown>[] = [
  PolicyTables,
  Manifest,
  Frame,
  AuditRecord,
  Everything,
  Tree,
  ServerGiveParams,
];

test.each(mutated)("$name: a message with changed bytes decodes to a value or a reason", (layout) => {
  const changes = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(valuesOf(layout), changes, (value, all) => {
      const message = encodeMessage(layout, value);
      for (const [at, byte] of all) message[at % message.length] = byte;
      const decoded = decodeMessage(layout, message);
      if (decoded.ok) expect(decodeMessage(layout, encodeMessage(layout, decoded.value))).toEqual(decoded);
      else expect(decoded.reason).not.toBe("");
    }),
    { numRuns: 300 },
  );
});
