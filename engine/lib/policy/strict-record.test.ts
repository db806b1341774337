import { expect, test } from "vitest";
import { findUnknownName, recordFrom } from "./strict-record.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

test("a record of a peer is read from as many bytes as it may have", () => {
  expect(recordFrom(bytes('{"a":1}'), 7)).toEqual({ ok: true, value: { a: 1 } });
  expect(recordFrom(bytes('{"a":"é"}'), 10)).toEqual({ ok: true, value: { a: "é" } });
});

test.each<[string, Uint8Array, number, string]>([
  ["more bytes than it may have", bytes('{"a":1}'), 6, "longer than 6 bytes"],
  ["more bytes, whatever they are", Uint8Array.of(0xff, 0xff), 1, "longer than 1 bytes"],
  ["bytes that are no text", Uint8Array.of(0x22, 0xff, 0x22), 9, "no UTF-8"],
  ["half of a character", Uint8Array.of(0x22, 0xc3), 9, "no UTF-8"],
  ["a text that ends early", bytes('{"a":'), 9, "no JSON: a value is expected at character 6"],
  ["a name that stands twice", bytes('{"a":1,"a":2}'), 99, "no JSON: the same name stands twice at character 8"],
  ["a list", bytes("[]"), 9, "no JSON object"],
  ["a text", bytes('"a"'), 9, "no JSON object"],
  ["no value", bytes("null"), 9, "no JSON object"],
])("a record of a peer is refused: %s", (_, from, most, reason) => {
  expect(recordFrom(from, most)).toEqual({ ok: false, reason });
});

test("the first of several unknown names is reported", () => {
  expect(findUnknownName({ a: 1, x: 2, y: 3 }, ["b", "a"])).toBe("x");
  expect(findUnknownName({ a: 1, b: 2 }, ["b", "a"])).toBeUndefined();
  expect(findUnknownName({}, [])).toBeUndefined();
});
