import fc from "fast-check";
import { expect, test } from "vitest";
import {
  canonicalizeArguments,
  decide,
  indexTables,
  openConversation,
  readJson,
  renderCanonicalJson,
} from "../policy/index.ts";
import { always, check, indexed, row, tables, tool, where } from "../policy/testing/sample.ts";
import { encode } from "../wire/encode.ts";
import type { Layout, Param, Place, Tool, Type } from "../wire/generated/policy.ts";
import { Files } from "../wire/generated/tools.ts";
import { encodeStructArguments, readStructArguments } from "./struct-arguments.ts";
import { anyLaidOut } from "./testing/laid-out.ts";

const TEXT: Type = { which: "text", text: { maxBytes: 131_072 } };
const UINT32: Type = { which: "integer", integer: { low: 0n, high: 4_294_967_295n } };
const READ = tool("notes.read", {
  interfaceId: Files.id,
  method: Files.methods.read.ordinal,
  params: [
    { name: "path", type: TEXT, required: true },
    { name: "from", type: UINT32, required: false },
    { name: "to", type: UINT32, required: false },
  ],
});

const place = (which: Place, offset = 0): Place => ({ ...which, offset });
const BLANK = { offset: 0, standard: 0n };
const NUMBER: Place = { ...BLANK, which: "scalar", scalar: "float64" };
const WORDS: Place = { ...BLANK, which: "text" };
const BOOL: Place = { ...BLANK, which: "scalar", scalar: "bool" };

/** Returns a tool with one parameter of this type and layout. */
function toolOf(type: Type, { layout }: { readonly layout: Layout }): Tool {
  return tool("notes.write", { params: [{ name: "value", type, required: true }], layout });
}
const ONE_NUMBER = toolOf({ which: "number" }, { layout: { dataWords: 1, pointers: 0, places: [NUMBER] } });
const ONE_TEXT = toolOf(TEXT, { layout: { dataWords: 0, pointers: 1, places: [WORDS] } });
const FLAGS = toolOf(
  { which: "list", list: { which: "boolean" } },
  { layout: { dataWords: 0, pointers: 1, places: [{ ...BLANK, which: "list", list: BOOL }] } },
);

const words = (...all: readonly bigint[]) => new Uint8Array(BigUint64Array.from(all).buffer);
const struct = (dataWords: number, pointers: number) => (BigInt(dataWords) << 32n) | (BigInt(pointers) << 48n);
const doubleBits = (value: number) => new BigUint64Array(Float64Array.of(value).buffer)[0] ?? 0n;
const refused = (reason: string) => ({
  ok: false,
  reason: `the arguments are not an acceptable message: ${reason}`,
});

test("a message of a standard method becomes the JSON of its values, without arguments that have their default", () => {
  const message = (from: number, to: number) => encode(Files.methods.read.params, { path: "a.txt", from, to });
  expect(readStructArguments(READ, message(1, 4_294_967_295))).toEqual({ ok: true, value: '{"path":"a.txt"}' });
  expect(readStructArguments(READ, message(0, 7))).toEqual({ ok: true, value: '{"from":0,"path":"a.txt","to":7}' });
  expect(encodeStructArguments(READ, { path: "a.txt", to: 7 })).toEqual({ ok: true, value: message(1, 7) });
});

test("a tool without a known layout refuses messages, and the reason says that it takes JSON", () => {
  const listed = tool("issues.search", { interfaceName: "Tools", interfaceId: 7n });
  const reason = "this tool takes its arguments as JSON: no Cap'n Proto layout of its parameters is known";
  expect(readStructArguments(listed, words(0n))).toEqual({ ok: false, reason });
  expect(encodeStructArguments(listed, { path: "a" })).toEqual({ ok: false, reason });
  const other = { ...READ, params: [...READ.params].reverse() };
  expect(readStructArguments(other, words(0n))).toEqual({ ok: false, reason });
  expect(readStructArguments(tool("status.show", { params: [] }), words(0n))).toEqual({ ok: true, value: "{}" });
});

test.each<[string, Tool, Uint8Array, string]>([
  ["no bytes", ONE_TEXT, new Uint8Array(), "0 bytes are not a number of words"],
  ["NaN", ONE_NUMBER, words(struct(1, 0), doubleBits(Number.NaN)), "JSON has no form for NaN and infinities"],
  ["an infinity", ONE_NUMBER, words(struct(1, 0), doubleBits(-1 / 0)), "JSON has no form for NaN and infinities"],
  ["a capability", ONE_TEXT, words(struct(0, 1), 3n), "there is a capability where a list belongs"],
  ["a far pointer", ONE_TEXT, words(struct(0, 1), 2n), "there is a pointer to another segment where a list belongs"],
  ["a struct for a text", ONE_TEXT, words(struct(0, 1), 1n << 32n, 0n), "there is a struct where a list belongs"],
  [
    "a text that is not UTF-8",
    ONE_TEXT,
    words(struct(0, 1), 1n | (2n << 32n) | (2n << 35n), 0xffn),
    "a text is not UTF-8",
  ],
  [
    "a field beside the known ones",
    ONE_NUMBER,
    words(struct(2, 0), 0n, 1n),
    "a struct holds a field that is not known here",
  ],
  [
    "a pointer beside the known ones",
    ONE_NUMBER,
    words(struct(1, 1), 0n, 3n),
    "a struct holds a field that is not known here",
  ],
  ["more bytes than JSON may have", ONE_TEXT, new Uint8Array(524_296), "524296 bytes are more than 524288"],
  [
    "bits that would be ten times as long in JSON",
    FLAGS,
    words(struct(0, 1), 1n | (1n << 32n) | (640_000n << 35n), ...Array.from({ length: 10_000 }, () => 0n)),
    "the message holds more values than are taken",
  ],
])("refuses a message: %s", (_, of, message, reason) => {
  expect(readStructArguments(of, message)).toEqual(refused(reason));
});

test("refuses a message in which bits between the fields of a word are set", () => {
  const flag = toolOf({ which: "boolean" }, { layout: { dataWords: 1, pointers: 0, places: [BOOL] } });
  expect(readStructArguments(flag, words(struct(1, 0), 1n))).toEqual({ ok: true, value: '{"value":true}' });
  expect(readStructArguments(flag, words(struct(1, 0), 3n))).toEqual(
    refused("a struct holds a field that is not known here"),
  );
});

test("refuses to encode arguments that do not fit a message", () => {
  const single: Place = { ...BLANK, which: "scalar", scalar: "float32" };
  const narrow = toolOf({ which: "number" }, { layout: { dataWords: 1, pointers: 0, places: [single] } });
  expect(encodeStructArguments(narrow, { value: 0.1 })).toMatchObject({ reason: "value: it does not fit 32 bits" });
  expect(encodeStructArguments(ONE_TEXT, { value: "\ud800" })).toMatchObject({
    reason: "value: it is not well-formed text",
  });
  expect(encodeStructArguments(ONE_TEXT, {})).toMatchObject({ reason: "value is missing" });
});

test.each<[string, Param, Place]>([
  ["a place behind the data", { name: "value", type: { which: "number" }, required: true }, place(NUMBER, 1)],
  ["a place behind the pointers", { name: "value", type: TEXT, required: true }, place(WORDS, 1)],
  ["a place of another kind", { name: "value", type: TEXT, required: true }, NUMBER],
  ["a default of more bits", { name: "value", type: { which: "boolean" }, required: true }, { ...BOOL, standard: 2n }],
  [
    "an optional pointer",
    { name: "value", type: { which: "list", list: TEXT }, required: false },
    { ...BLANK, which: "list", list: WORDS },
  ],
  [
    "a range that the kind does not have",
    { name: "value", type: UINT32, required: true },
    { ...BLANK, which: "scalar", scalar: "uint16" },
  ],
  [
    "an enum without members",
    { name: "value", type: { which: "choice", choice: [] }, required: true },
    { ...BLANK, which: "choice" },
  ],
])("refuses tables in which a layout does not match the parameters of its tool: %s", (_, param, one) => {
  const odd = tool("a.b", { params: [param], layout: { dataWords: 1, pointers: 1, places: [one] } });
  expect(indexTables(tables({ tools: [odd], rows: [row("operator", [1])] }))).toMatchObject({
    ok: false,
    reason: "policy tables contradict themselves: tool a.b: its layout is not one of its parameters",
  });
});

test("property: a call as JSON and the same call as a message give the same decision and the same canonical arguments", () => {
  fc.assert(
    fc.property(anyLaidOut, ({ tool: laid, record }) => {
      const clauses = [where([check("amount", "greater", 5)], "consent", "auto")];
      const known = indexed({
        tools: [laid],
        decisions: [
          { clauses: laid.params.some(({ name }) => name === "amount") ? clauses : [always("auto")], floors: [] },
        ],
        rows: [row("operator", [2])],
      });
      const message = encodeStructArguments(laid, record);
      const read = message.ok ? readStructArguments(laid, message.value) : message;
      expect(read).toEqual({ ok: true, value: renderCanonicalJson(record) });
      const conversation = openConversation(known, "operator");
      if (conversation === undefined) throw new Error("there is no such session");
      const ask = (args: string) => decide(known, conversation, { tool: laid.name, arguments: args });
      expect(ask(read.ok ? read.value : "")).toEqual(ask(JSON.stringify(record)));
    }),
    { numRuns: 500 },
  );
});

const anyWords = fc.uint8Array({ maxLength: 160 }).map((bytes) => bytes.subarray(0, bytes.length - (bytes.length % 8)));

/** Generates hostile messages for a tool: arbitrary bytes, or a valid message with a few changed bytes. */
const hostile = anyLaidOut.chain(({ tool: laid, record }) => {
  const message = encodeStructArguments(laid, record);
  const bytes = message.ok ? message.value : new Uint8Array(8);
  const changes = fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { maxLength: 4 });
  const mutated = changes.map((all) => {
    const copy = Uint8Array.from(bytes);
    for (const [at, byte] of all) copy[at] = byte;
    return copy;
  });
  return fc.tuple(fc.constant(laid), fc.oneof(mutated, anyWords));
});

test("property: any bytes are refused with a reason, or decode to canonical JSON that stays the same after encoding and decoding", () => {
  fc.assert(
    fc.property(hostile, ([laid, bytes]) => {
      const read = readStructArguments(laid, bytes);
      if (!read.ok) {
        expect(read.reason).not.toBe("");
        return;
      }
      // `canonicalizeArguments` may still refuse the JSON, for the same reasons for which it refuses JSON of a model.
      const canonical = canonicalizeArguments(read.value);
      expect(canonical.ok ? canonical.value.text : read.value).toBe(read.value);
      const json = readJson(read.value);
      const again = encodeStructArguments(laid, json.ok ? (json.value as Record<string, never>) : {});
      if (again.ok) expect(readStructArguments(laid, again.value)).toEqual(read);
    }),
    { numRuns: 1000 },
  );
});
