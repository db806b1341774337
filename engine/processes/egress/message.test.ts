import fc from "fast-check";
import { expect, test } from "vitest";
import type { Address } from "../../lib/reach/address.ts";
import { encodeQuestion, readAddresses } from "./message.ts";
import { answerTo, recordOf } from "./testing/internet.ts";

const NAME = "status.example.net";
const QUERY = Buffer.from(encodeQuestion(7, NAME));
const ADDRESS: Address = [93, 184, 216, 34];

const read = (bytes: Uint8Array) => readAddresses(bytes, 7, NAME);
/** Returns an answer with these records and flags. */
function answer(records: readonly Uint8Array[], { flags = 0x8180, id = 7 } = {}): Buffer {
  const bytes = Buffer.concat([QUERY, ...records]);
  bytes.writeUInt16BE(id, 0);
  bytes.writeUInt16BE(flags, 2);
  bytes.writeUInt16BE(records.length, 6);
  return bytes;
}
const labels = (name: string): Buffer =>
  Buffer.concat([
    ...name.split(".").map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`)),
    Buffer.of(0),
  ]);
const named = (name: string, type: number, content: Uint8Array): Buffer =>
  Buffer.concat([labels(name), Buffer.of(0, type, 0, 1, 0, 0, 0, 60, 0, content.length), content]);

test("reads the addresses of a name, directly and through aliases", () => {
  expect(read(answerTo(QUERY, [ADDRESS, [1, 1, 1, 1]]))).toEqual({ ok: true, value: [ADDRESS, [1, 1, 1, 1]] });
  const alias = recordOf(5, labels("edge.example.org"));
  const found = named("EDGE.example.org", 1, Buffer.from(ADDRESS));
  expect(read(answer([alias, found]))).toEqual({ ok: true, value: [ADDRESS] });
});

test("ignores addresses of other names", () => {
  const other = named("other.example.net", 1, Buffer.from(ADDRESS));
  expect(read(answer([other]))).toEqual({ ok: false, reason: "the name has no IPv4 address" });
});

test("refuses an answer to another question, a truncated answer and an error", () => {
  const record = recordOf(1, Buffer.from(ADDRESS));
  const another = { ok: false, reason: "the name server answered another question" };
  expect(read(answer([record], { id: 8 }))).toEqual(another);
  expect(read(answer([record], { flags: 0x0180 }))).toEqual(another);
  expect(readAddresses(answer([record]), 7, "status.example.com")).toEqual(another);
  expect(read(answer([record], { flags: 0x8380 }))).toEqual({ ok: false, reason: "the name server's answer is cut" });
  expect(read(answer([], { flags: 0x8183 }))).toEqual({ ok: false, reason: "there is no such name" });
  expect(read(answer([], { flags: 0x8182 }))).toEqual({ ok: false, reason: "the name server refuses with code 2" });
});

test("refuses circular aliases, circular names and records beyond the end", () => {
  expect(read(answer([recordOf(5, Buffer.of(0xc0, 12))])).ok).toBe(false);
  const self = Buffer.concat([QUERY, Buffer.of(0xc0, QUERY.length)]);
  self.writeUInt16BE(0x8180, 2);
  self.writeUInt16BE(1, 6);
  expect(read(self)).toEqual({ ok: false, reason: "the name server's answer cannot be read" });
  const many = answer([recordOf(1, Buffer.from(ADDRESS))]);
  many.writeUInt16BE(65_535, 6);
  expect(read(many).ok).toBe(false);
  expect(read(answer([recordOf(1, Buffer.from([1, 2, 3]))])).ok).toBe(false);
});

test("fuzz: the reader never throws, and reads only valid addresses from a changed answer", () => {
  const whole = answerTo(QUERY, [ADDRESS]);
  const spoiled = fc
    .array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 6 })
    .map((changes) => changes.reduce((bytes, [at, value]) => bytes.fill(value, at, at + 1), Buffer.from(whole)));
  const cut = fc.nat(whole.length).map((size) => whole.subarray(0, size));
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 200 }), spoiled, cut), (bytes) => {
      const result = read(bytes);
      if (result.ok) for (const address of result.value) expect(address).toHaveLength(4);
      else expect(result.reason).not.toBe("");
    }),
    { numRuns: 3000 },
  );
});
