import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { readGguf } from "../../../lib/weights/gguf.ts";
import { convertToGguf, type PublishedModel, type Shape } from "./convert.ts";

const SHAPE: Shape = { layers: 1, width: 32, inner: 64, heads: 2, contextTokens: 8, epsilon: 1e-12 };
const WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "key", "##s"];
const TOKENIZER = { model: { type: "WordPiece", vocab: Object.fromEntries(WORDS.map((word, at) => [word, at])) } };

function tensors(): Record<string, readonly number[]> {
  const { width, inner, contextTokens } = SHAPE;
  const layer = "encoder.layer.0";
  const norm = (name: string) => ({ [`${name}.weight`]: [width], [`${name}.bias`]: [width] });
  const dense = (name: string, out: number, into: number) => ({
    [`${name}.weight`]: [out, into],
    [`${name}.bias`]: [out],
  });
  return {
    "embeddings.word_embeddings.weight": [WORDS.length, width],
    "embeddings.position_embeddings.weight": [contextTokens, width],
    "embeddings.token_type_embeddings.weight": [2, width],
    ...norm("embeddings.LayerNorm"),
    ...dense(`${layer}.attention.self.query`, width, width),
    ...dense(`${layer}.attention.self.key`, width, width),
    ...dense(`${layer}.attention.self.value`, width, width),
    ...dense(`${layer}.attention.output.dense`, width, width),
    ...norm(`${layer}.attention.output.LayerNorm`),
    ...dense(`${layer}.intermediate.dense`, inner, width),
    ...dense(`${layer}.output.dense`, width, inner),
    ...norm(`${layer}.output.LayerNorm`),
  };
}

function safetensors(shapes: Record<string, readonly number[]> = tensors()): Buffer {
  let end = 0;
  const described = Object.entries(shapes).map(([name, shape]) => {
    const start = end;
    end += 4 * shape.reduce((all, one) => all * one);
    return [name, { dtype: "F32", shape, data_offsets: [start, end] }];
  });
  const head = Buffer.from(JSON.stringify(Object.fromEntries(described)));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(head.length));
  const numbers = Float32Array.from({ length: end / 4 }, (_, at) => Math.sin(at));
  return Buffer.concat([length, head, Buffer.from(numbers.buffer)]);
}

const published = (changes: Partial<PublishedModel> = {}): PublishedModel => ({
  name: "small",
  shape: SHAPE,
  weights: safetensors(),
  tokenizer: JSON.stringify(TOKENIZER),
  ...changes,
});

test("converts a published model to a file whose header can be parsed before an engine loads it", () => {
  const made = convertToGguf(published());
  if (!made.ok) throw new Error(made.reason);
  expect(readGguf(made.value, made.value.length)).toMatchObject({
    ok: true,
    value: { arch: "bert", name: "small", quantisation: "q8_0", contextTokens: 8, vocabulary: 7, knowsChatMl: false },
  });
  // The engine's own mark precedes a word, and the continuation of a word has no mark.
  expect(made.value.includes(Buffer.from("\u2581key"))).toBe(true);
  expect(made.value.includes(Buffer.from("##s"))).toBe(false);
  expect(convertToGguf(published())).toEqual(made);
});

const { "embeddings.LayerNorm.bias": _, ...others } = tensors();
const odd = { ...tensors(), "embeddings.word_embeddings.weight": [WORDS.length, 33] };

function notANumber(): Buffer {
  const weights = safetensors();
  weights.writeFloatLE(Number.NaN, 8 + Number(weights.readBigUInt64LE(0)));
  return weights;
}

/**
 * A header may claim that each of ten thousand tensors is the whole file, so only tensors that are actually written are
 * copied.
 */
test("unused tensors cost no memory, even if many overlap", () => {
  const weights = safetensors();
  const length = Number(weights.readBigUInt64LE(0));
  const head: object = JSON.parse(weights.toString("utf8", 8, 8 + length));
  const numbers = Buffer.concat([weights.subarray(8 + length), Buffer.alloc(8 << 20)]);
  const size = numbers.length - (numbers.length % 4);
  const more = Array.from({ length: 4000 }, (_, at) => [
    `x${at}`,
    { dtype: "F32", shape: [size / 4], data_offsets: [0, size] },
  ]);
  const text = Buffer.from(JSON.stringify({ ...head, ...Object.fromEntries(more) }));
  const first = Buffer.alloc(8);
  first.writeBigUInt64LE(BigInt(text.length));
  const before = process.memoryUsage().arrayBuffers;
  expect(convertToGguf(published({ weights: Buffer.concat([first, text, numbers]) })).ok).toBe(true);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(256 << 20);
});

test.each<[string, Partial<PublishedModel>, RegExp]>([
  ["no tensors", { weights: Buffer.alloc(4) }, /no safetensors/],
  ["half of its tensors", { weights: safetensors().subarray(0, 9000) }, /does not lie in it/],
  ["a tensor less", { weights: safetensors(others) }, /no tensor embeddings.LayerNorm.bias/],
  ["NaN", { weights: notANumber() }, /embeddings\.word_embeddings\.weight has a number that is none/],
  ["rows of 33 numbers", { weights: safetensors(odd) }, /rows that are no multiple of 32 numbers/],
  ["a billion layers", { shape: { ...SHAPE, layers: 1e9 } }, /shape is none that a model can have/],
  ["half a layer", { shape: { ...SHAPE, layers: 1.5 } }, /shape is none that a model can have/],
  ["another tokenizer", { tokenizer: '{"model":{"type":"BPE","vocab":{}}}' }, /no vocabulary of WordPiece/],
  ["a gap in its vocabulary", { tokenizer: JSON.stringify(TOKENIZER).replace('"key":5', '"key":9') }, /gaps/],
])("refuses a model with %s", (_name, changes, reason) => {
  const made = convertToGguf(published(changes));
  expect(made.ok ? "" : made.reason).toMatch(reason);
});

test("fuzz: any published file is converted, or refused with a reason", () => {
  const whole = safetensors();
  fc.assert(
    fc.property(fc.nat({ max: 1500 }), fc.uint8Array({ maxLength: 12 }), (at, bytes) => {
      const spoiled = Buffer.from(whole);
      spoiled.set(bytes, at);
      expect(typeof convertToGguf(published({ weights: spoiled })).ok).toBe("boolean");
    }),
    { numRuns: 200 },
  );
});

const folder = mkdtempSync(join(tmpdir(), "capos-convert-"));
afterAll(() => rmSync(folder, { recursive: true }));

const CONFIG = {
  ...{ model_type: "bert", hidden_act: "gelu", num_hidden_layers: 1, hidden_size: 32, intermediate_size: 64 },
  ...{ num_attention_heads: 2, max_position_embeddings: 8, layer_norm_eps: 1e-12 },
};

/**
 * Runs the command for a folder with the files of a published model. Returns its exit status, its error output and the
 * GGUF file that it wrote.
 */
function written(config: string, weights = safetensors(), words = ["small"]) {
  const model = mkdtempSync(join(folder, "model-"));
  const out = join(model, "small.gguf");
  writeFileSync(join(model, "config.json"), config);
  writeFileSync(join(model, "tokenizer.json"), JSON.stringify(TOKENIZER));
  writeFileSync(join(model, "model.safetensors"), weights);
  const main = new URL("main.ts", import.meta.url).pathname;
  const given = ["--disable-warning=ExperimentalWarning", main, model, out, ...words];
  const { status, stderr } = spawnSync(process.execPath, given, { encoding: "utf8" });
  return { status, said: stderr.trim(), made: existsSync(out) ? readFileSync(out) : undefined };
}

test("the command writes the conversion of a folder under the given name", () => {
  const made = convertToGguf(published());
  expect(written(JSON.stringify(CONFIG))).toEqual({
    status: 0,
    said: "",
    made: made.ok ? Buffer.from(made.value) : "",
  });
});

test.each([
  ["no name", JSON.stringify(CONFIG), safetensors(), [], "node main.ts FOLDER OUT NAME"],
  [
    "another kind",
    JSON.stringify({ ...CONFIG, model_type: "gpt2" }),
    safetensors(),
    ["small"],
    "config.json does not say",
  ],
  [
    "another act",
    JSON.stringify({ ...CONFIG, hidden_act: "relu" }),
    safetensors(),
    ["small"],
    "config.json does not say",
  ],
  [
    "no layers",
    JSON.stringify({ ...CONFIG, num_hidden_layers: 0 }),
    safetensors(),
    ["small"],
    "config.json does not say",
  ],
  ["malformed JSON", "{", safetensors(), ["small"], "config.json does not say"],
  ["no weights", JSON.stringify(CONFIG), Buffer.from("none"), ["small"], ""],
])("with %s the command writes no file and gives the reason", (_, config, weights, words, why) => {
  const { status, said, made } = written(config, weights, words);
  expect([status, said.startsWith(why), said === "", made]).toEqual([1, true, false, undefined]);
});
