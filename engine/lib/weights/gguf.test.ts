import fc from "fast-check";
import { expect, test } from "vitest";
import { MOST_CARD_BYTES, makeCard } from "./card.ts";
import { MOST_HEAD_BYTES, readGguf } from "./gguf.ts";
import { encodeGguf, type GgufPlan, type Tensor, type Value } from "./testing/gguf-writer.ts";
import { makeTinyModel } from "./testing/tiny-model.ts";

const HONEST = makeTinyModel();
const read = (bytes: Uint8Array, fileBytes = bytes.length) => readGguf(bytes, fileBytes);

test("reads the header of a valid file without reading its tensors", () => {
  const found = read(HONEST.subarray(0, 8192), HONEST.length);
  expect(found).toEqual({
    ok: true,
    value: {
      arch: "llama",
      name: "tiny",
      quantisation: "f32",
      mostNumbers: "f32",
      contextTokens: 512,
      tensors: 12,
      vocabulary: 259,
      knowsChatMl: true,
      reluctance: 0,
      copying: 0,
    },
  });
});

test("reads `capc.call_reluctance` from the header, and refuses a value above its limit", () => {
  const told = (value: number) => read(withEntry("capc.call_reluctance", number(value)));
  expect(told(2500)).toMatchObject({ ok: true, value: { reluctance: 2.5 } });
  expect(told(10_000)).toMatchObject({ ok: true, value: { reluctance: 10 } });
  expect(told(10_001)).toEqual({ ok: false, reason: "a reluctance of 10001, the limit is 10000" });
});

test("reads `capc.copy_preference` from the header, and refuses a value above its limit", () => {
  const told = (value: number) => read(withEntry("capc.copy_preference", number(value)));
  expect(told(8000)).toMatchObject({ ok: true, value: { copying: 8, reluctance: 0 } });
  expect(told(20_000)).toMatchObject({ ok: true, value: { copying: 20 } });
  expect(told(20_001)).toEqual({ ok: false, reason: "a preference for copies of 20001, the limit is 20000" });
});

test("recognises a vocabulary without ChatML's words", () => {
  expect(read(makeTinyModel({ chatMl: false }))).toMatchObject({ ok: true, value: { knowsChatMl: false } });
});

test("a vocabulary knows ChatML only if it has both words, and not one of them twice", () => {
  const known = (...value: string[]) => read(withEntry("tokenizer.ggml.tokens", { kind: "texts", value }));
  const [start, end] = ["<|im_start|>", "<|im_end|>"];
  for (const without of [[start, start], [end, end], [start], [end, "a", end]])
    expect([without, known(...without)]).toMatchObject([without, { ok: true, value: { knowsChatMl: false } }]);
  for (const both of [
    [start, end],
    [end, "a", start, end],
  ])
    expect([both, known(...both)]).toMatchObject([both, { ok: true, value: { knowsChatMl: true } }]);
});

test("a card is small and printable, whatever name the file has", () => {
  const header = read(
    makeTinyModel({ entries: { "general.name": { kind: "text", value: "\u202e\u0000x".repeat(40) } } }),
  );
  if (!header.ok) throw new Error(header.reason);
  const verity = { contentBytes: 1n, salt: new Uint8Array(32), rootHash: new Uint8Array(32) };
  const card = makeCard(header.value, { sha256: new Uint8Array(32), verity });
  expect(card.id).toBe(`llama:sha256-${"00".repeat(32)}`);
  expect(card.displayName).toMatch(/^[ -~]{1,64}$/);
  expect(JSON.stringify({ ...card, verity: undefined }).length).toBeLessThan(MOST_CARD_BYTES);
});

const number = (value: number): Value => ({ kind: "u32", value });
const text = (value: string): Value => ({ kind: "text", value });
const tensor: Tensor = { name: "t", dimensions: [32], type: 0, bytes: new Uint8Array(128) };
const small = (change: Partial<GgufPlan>): Buffer =>
  encodeGguf({
    entries: [
      ["general.architecture", text("llama")],
      ["llama.context_length", number(8)],
    ],
    tensors: [tensor],
    ...change,
  });
const withEntry = (key: string, value: Value): Buffer => makeTinyModel({ entries: { [key]: value } });
const withTensors = (...tensors: readonly Partial<Tensor>[]): Buffer =>
  small({ tensors: tensors.map((change, index) => ({ ...tensor, name: `t${index}`, ...change })) });

const count = (at: number, value: bigint): Buffer => {
  const bytes = Buffer.from(HONEST);
  bytes.writeBigUInt64LE(value, at);
  return bytes;
};

test("the quantisation is the declared file type, or the type of most tensors if the declared type is unknown", () => {
  const told = (fileType: number) => read(withEntry("general.file_type", number(fileType)));
  expect(told(15)).toMatchObject({ ok: true, value: { quantisation: "q4_k_m", mostNumbers: "f32" } });
  expect(told(7)).toMatchObject({ ok: true, value: { quantisation: "q8_0", mostNumbers: "f32" } });
  for (const unknown of [4, 1024, 4_294_967_295]) {
    expect(told(unknown)).toMatchObject({ ok: true, value: { quantisation: "f32", mostNumbers: "f32" } });
  }
});

test("accepts a file that declares the type `model` and a single part", () => {
  const entries = { "general.type": text("model"), "split.count": number(1), "split.no": number(0) };
  expect(read(makeTinyModel({ entries })).ok).toBe(true);
});

const part = (no: number, count: number): Buffer =>
  small({
    entries: [
      ["split.no", number(no)],
      ["split.count", number(count)],
    ],
  });

const WRONG: Readonly<Record<string, [bytes: Uint8Array, reason: string]>> = {
  "an empty file": [new Uint8Array(), "the header ends in its middle"],
  "another kind of file": [Buffer.from("ELF\x7f and more of it"), "it is not GGUF"],
  "an older version": [small({ version: 2 }), "it is GGUF of version 2, version 3 is read"],
  "a file that ends in its header": [HONEST.subarray(0, 3000), "the header ends in its middle"],
  "a file that ends in its tensors": [
    HONEST.subarray(0, -1),
    `its tensors end at ${HONEST.length}, and it has ${HONEST.length - 1} bytes`,
  ],
  "too many tensors": [count(8, 1n << 40n), "1099511627776 tensors, the limit is 16384"],
  "too many entries": [count(16, 1n << 40n), "1099511627776 entries, the limit is 1024"],
  "a count out of range": [count(16, 1n << 63n), "a count of entries of 9223372036854775808"],
  "the first of two parts": [
    makeTinyModel({ entries: { "split.no": number(0), "split.count": number(2) } }),
    "it is part 1 of 2 of its weights; parts are joined first",
  ],
  "the second of two parts, without other entries": [
    part(1, 2),
    "it is part 2 of 2 of its weights; parts are joined first",
  ],
  "a part of zero parts": [part(4, 0), "it is part 5 of 0 of its weights; parts are joined first"],
  "an adapter": [withEntry("general.type", text("adapter")), "it holds no model but what is called adapter"],
  "a type of several lines": [withEntry("general.type", text("a\nb")), "it holds no model but something else"],
  "no architecture": [small({ entries: [] }), "general.architecture is no plain word"],
  "an architecture that is a path": [
    small({ entries: [["general.architecture", text("../x")]] }),
    "general.architecture is no plain word",
  ],
  "no context": [small({ entries: [["general.architecture", text("llama")]] }), "it does not say llama.context_length"],
  "a context of zero tokens": [withEntry("llama.context_length", number(0)), "a context of 0 tokens"],
  "a context that is too large": [withEntry("llama.context_length", number(2 ** 31)), "a context of 2147483648 tokens"],
  "an alignment that is not a power of two": [withEntry("general.alignment", number(48)), "an alignment of 48"],
  "an alignment of zero": [withEntry("general.alignment", number(0)), "an alignment of 0"],
  "a key that is too long": [withEntry("k".repeat(129), number(1)), "a key has 129 bytes, the limit is 128"],
  "a repeated key": [
    small({
      entries: [
        ["a", number(1)],
        ["a", number(1)],
      ],
    }),
    "a key is empty or stands twice",
  ],
  "a text that is too long": [
    withEntry("t", text("x".repeat(262_145))),
    "a text has 262145 bytes, the limit is 262144",
  ],
  "a word that is too long": [
    withEntry("t", { kind: "texts", value: ["x".repeat(4097)] }),
    "a word has 4097 bytes, the limit is 4096",
  ],
  "no tensors": [small({ tensors: [] }), "0 tensors, the limit is 16384"],
  "a repeated tensor": [withTensors({ name: "x" }, { name: "x" }), "a tensor has no name, or that of another"],
  "a tensor without dimensions": [withTensors({ dimensions: [] }), "a tensor of 0 dimensions"],
  "a tensor of five dimensions": [withTensors({ dimensions: [1, 1, 1, 1, 1] }), "a tensor of 5 dimensions"],
  "an empty tensor": [withTensors({ dimensions: [0] }), "a tensor without numbers, or with too many"],
  "a tensor whose size wraps around": [
    withTensors({ dimensions: [2 ** 33, 2 ** 33] }),
    "a tensor without numbers, or with too many",
  ],
  "numbers in an unknown form": [withTensors({ type: 99 }), "numbers are written in a way (99) that is not known"],
  "rows that do not fill their blocks": [
    withTensors({ dimensions: [48], type: 2 }),
    "rows of 48 numbers, written in blocks of 32",
  ],
  "overlapping tensors": [withTensors({}, { offset: 64 }), "tensor 1 lies at 64 and not at 128"],
  "a gap before a tensor": [withTensors({ offset: 4096 }), "tensor 0 lies at 4096 and not at 0"],
};

for (const [what, [bytes, reason]] of Object.entries(WRONG)) {
  test(`refuses weights: ${what}`, () => {
    expect(read(bytes)).toEqual({ ok: false, reason });
  });
}

test("refuses a list of lists or a list that is too long before it reads the elements", () => {
  const key = "tokenizer.ggml.merges";
  const at = HONEST.indexOf(key) + key.length;
  const nested = Buffer.from(HONEST);
  nested.writeUInt32LE(9, at + 4);
  expect(read(nested)).toEqual({ ok: false, reason: "a value of kind 9" });
  const endless = Buffer.from(HONEST);
  endless.writeBigUInt64LE(2n ** 21n, at + 8);
  expect(read(endless)).toEqual({ ok: false, reason: "a list of 2097152, the limit is 1048576" });
});

test("ignores bytes after the tensors, because devices consist of whole blocks", () => {
  expect(read(HONEST, HONEST.length + 4095).ok).toBe(true);
  expect(MOST_HEAD_BYTES).toBeLessThan(2 ** 26);
});

test("property: reads any bytes as a header within its limits, or refuses them with a reason", () => {
  const head = HONEST.subarray(0, 8192);
  const spoiled = fc
    .array(fc.tuple(fc.nat(head.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 })
    .map((changes) => {
      const bytes = Buffer.from(head);
      for (const [at, value] of changes) bytes[at] = value;
      return bytes;
    });
  const cut = fc.nat(head.length).map((length) => head.subarray(0, length));
  let taken = 0;
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 400 }), { weight: 5, arbitrary: spoiled }, cut), (bytes) => {
      const found = read(bytes, HONEST.length);
      if (!found.ok) {
        expect(found.reason).toMatch(/^\S.{3,}/);
        return;
      }
      taken += 1;
      expect(found.value.tensors).toBeLessThanOrEqual(16_384);
      expect(found.value.arch).toMatch(/^[a-z0-9_-]+$/);
    }),
    { numRuns: 3000 },
  );
  // Many changed files are accepted, because a changed word of the vocabulary is still valid.
  expect(taken).toBeGreaterThan(100);
});

test("property: reads the context length and the number of tensors that the writer encoded", () => {
  const shape = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(fc.array(shape, { minLength: 1, maxLength: 9 }), fc.nat(100_000), (shapes, context) => {
      const tensors = shapes.map((dimensions, index) => {
        const bytes = new Uint8Array(4 * dimensions.reduce((all, one) => all * one));
        return { name: `t${index}`, dimensions, type: 0, bytes };
      });
      const entries = [
        ["general.architecture", text("llama")],
        ["llama.context_length", number(context + 1)],
      ] as const;
      expect(read(encodeGguf({ entries, tensors }))).toMatchObject({
        ok: true,
        value: { contextTokens: context + 1, tensors: shapes.length, quantisation: "f32" },
      });
    }),
    { numRuns: 200 },
  );
});
