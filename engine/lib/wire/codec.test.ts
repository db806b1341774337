import fc from "fast-check";
import { expect, test } from "vitest";
import { decode, decodeMessage } from "./decode.ts";
import { encode, encodeMessage } from "./encode.ts";
import { Defaults, Entry, Everything, Later, Tree } from "./fixture/generated/everything.ts";
import { LAYOUTS } from "./fixture/layouts.ts";
import { valuesOf } from "./fixture/values.ts";
import { Frame } from "./generated/wire.ts";
import type { StructLayout } from "./layout.ts";

const hex = (bytes: Uint8Array) =>
  Buffer.from(bytes)
    .toString("hex")
    .replace(/.{16}(?=.)/g, "$& ");

/** Returns the value of an empty message. */
function defaultOf<T>(layout: StructLayout<T>): T {
  const decoded = decode(layout, new Uint8Array(8));
  if (!decoded.ok) throw new Error(decoded.reason);
  return decoded.value;
}

const entry: Entry = { name: "ab", path: "", kind: 3, weight: 5n, tags: [1, 2, 3] };

test.each(LAYOUTS)("$title: decoding an encoded value returns the value", ({ layout }) => {
  fc.assert(
    fc.property(valuesOf(layout), (value) => {
      expect(decode(layout, encode(layout, value))).toEqual({ ok: true, value });
      expect(decodeMessage(layout, encodeMessage(layout, value))).toEqual({ ok: true, value });
    }),
    { numRuns: 40 },
  );
});

test.each(LAYOUTS)("$title: the default value has the bytes of an empty struct", ({ layout }) => {
  expect(hex(encode(layout, defaultOf(layout)))).toBe("fcffffff00000000");
});

test("encodes a struct in the order of the format: data, pointers, targets of the pointers", () => {
  expect(hex(encode(Entry, entry))).toBe(
    [
      "0000000002000300", // root: 2 words of data, 3 pointers
      "0300000000000000", // kind
      "0500000000000000", // weight
      "090000001a000000", // name: 3 bytes
      "0000000000000000", // path: empty, therefore null
      "050000001c000000", // tags: 3 times 4 bytes
      "6162000000000000",
      "0100000002000000",
      "0300000000000000",
    ].join(" "),
  );
});

test("omits zeros at the end of the data section, and null pointers at the end of the pointer section", () => {
  expect(hex(encode(Entry, { ...entry, weight: 0n, tags: [] }))).toBe(
    "0000000001000100 0300000000000000 010000001a000000 6162000000000000",
  );
});

test("all elements of a list are as long as the longest element without the zeros at its end", () => {
  const small: Entry = { name: "", path: "", kind: 1, weight: 0n, tags: [] };
  expect(hex(encode(Tree, { which: "fork", fork: [] }))).toBe("0000000001000000 0100000000000000");
  const bytes = encode(Everything, { ...defaultOf(Everything), entries: [small, { ...small, name: "a" }] });
  expect(hex(bytes.subarray(-6 * 8))).toBe(
    [
      "0800000001000100", // tag: 2 elements of 1 word and 1 pointer
      "0100000000000000",
      "0000000000000000",
      "0100000000000000",
      "0100000012000000",
      "6100000000000000",
    ].join(" "),
  );
});

test("a list of structs with only default values keeps its length", () => {
  const value = { ...defaultOf(Everything), entries: [defaultOf(Entry), defaultOf(Entry), defaultOf(Entry)] };
  const decoded = decode(Everything, encode(Everything, value));
  expect(decoded.ok && decoded.value.entries.length).toBe(3);
});

test("a field's default value is stored as zero bits, and the value zero is still decoded as zero", () => {
  const standard = defaultOf(Defaults);
  expect(standard).toEqual({
    flag: true,
    low: -1,
    number: -5,
    wide: 0xfedcba9876543210n,
    real: 1.5,
    half: -0.5,
    colour: "blue",
    plain: 0,
  });
  const zeros = { flag: false, low: 0, number: 0, wide: 0n, real: 0, half: 0, colour: "red", plain: 0 } as const;
  expect(decode(Defaults, encode(Defaults, zeros))).toEqual({ ok: true, value: zeros });
});

test("negative zero keeps its sign, and every NaN has the same bits", () => {
  const zero = encode(Everything, { ...defaultOf(Everything), f64: -0 });
  expect(hex(zero)).toContain("0000000000000080");
  const bits = new DataView(new ArrayBuffer(8));
  bits.setBigUint64(0, 0xfff8_dead_beef_0001n);
  const odd = encode(Everything, { ...defaultOf(Everything), f64: bits.getFloat64(0) });
  expect(hex(odd)).toBe(hex(encode(Everything, { ...defaultOf(Everything), f64: Number.NaN })));
});

test("drops fields of a later version, and uses defaults for fields that an earlier version lacks", () => {
  const later: Later = { ...entry, more: 9n, words: "new" };
  expect(decode(Entry, encode(Later, later))).toEqual({ ok: true, value: entry });
  expect(decode(Later, encode(Entry, entry))).toEqual({ ok: true, value: { ...entry, more: 0n, words: "" } });
});

test("a byte order mark and U+FFFD decode like other characters", () => {
  for (const name of ["\ufeffa", "a\ufffdb", "a\u0000b", "\u{10ffff}"]) {
    const value = { ...entry, name };
    expect(decode(Entry, encode(Entry, value))).toEqual({ ok: true, value });
  }
});

test("a message may begin at any byte of its buffer", () => {
  const message = encodeMessage(Entry, entry);
  for (const shift of [1, 3, 7]) {
    const shifted = new Uint8Array(message.length + shift);
    shifted.set(message, shift);
    expect(decodeMessage(Entry, shifted.subarray(shift))).toEqual({ ok: true, value: entry });
  }
});

test("the value that all null pointers share cannot be changed", () => {
  const { inner } = defaultOf(Everything);
  expect(() => Object.assign(inner, { kind: 1 })).toThrow();
  expect(defaultOf(Everything).inner.kind).toBe(0);
});

test.each([
  ["a number out of range", { ...entry, kind: 65_536 }, "Entry.kind cannot hold 65536 (number)"],
  ["a number below zero", { ...entry, kind: -1 }, "Entry.kind cannot hold -1 (number)"],
  ["a fraction", { ...entry, kind: 1.5 }, "Entry.kind cannot hold 1.5 (number)"],
  ["a number instead of a bigint", { ...entry, weight: 5 }, "Entry.weight cannot hold 5 (number)"],
  ["a bigint of 65 bits", { ...entry, weight: 2n ** 64n }, "Entry.weight cannot hold 18446744073709551616 (bigint)"],
  ["a field that is missing", { ...entry, name: undefined }, "Entry.name cannot hold undefined (undefined)"],
  ["ill-formed text", { ...entry, name: "a\ud800" }, 'Entry.name cannot hold "a\\ud800" (string)'],
  ["a wrong element", { ...entry, tags: [1, -1] }, "Entry.tags[] cannot hold -1 (number)"],
  ["a number instead of a list", { ...entry, tags: 1 }, "Entry.tags[] cannot hold 1 (number)"],
])("the writer throws on a value that its layout cannot hold: %s", (_what, value, reason) => {
  expect(() => encode(Entry, value as unknown as Entry)).toThrow(`capos defect: ${reason}`);
});

test("the writer throws on a member that the union does not have", () => {
  expect(() => encode(Tree, { which: "root" } as unknown as Tree)).toThrow("Tree.which cannot hold");
});

test("the writer throws on a value that is too deep for the reader", () => {
  let tree: Tree = { which: "leaf", leaf: "x" };
  for (let depth = 0; depth < 30; depth += 1) tree = { which: "twig", twig: tree };
  expect(decode(Tree, encode(Tree, tree))).toEqual({ ok: true, value: tree });
  for (let depth = 0; depth < 2; depth += 1) tree = { which: "twig", twig: tree };
  expect(() => encode(Tree, tree)).toThrow("nested more than 32 deep");
});

test("the bytes do not depend on the order in which a value's members were set", () => {
  const call = { interfaceId: 1n, method: 2, payload: { which: "empty" } } as const;
  const one = encode(Frame, { callId: 1n, which: "call", call });
  expect(encode(Frame, { call, which: "call", callId: 1n })).toEqual(one);
});
