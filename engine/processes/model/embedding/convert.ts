// Converts the files in which an embedding model of the BERT kind is published (safetensors, and the tokenizer's JSON) to the engine's
// format: GGUF 3, matrices in q8_0, small tensors unchanged. The caller must have checked their origin.
// https://github.com/ggml-org/ggml/blob/master/docs/gguf.md, https://github.com/huggingface/safetensors

import { isRecord, type Json, readJson } from "../../../lib/policy/index.ts";
import { accept, type Result, refuse } from "../../../lib/result/result.ts";
import { encodeGguf, type Tensor, type Value } from "../../../lib/weights/testing/gguf-writer.ts";

/** Maximum bytes of the header of a published file in the format safetensors. */
const MOST_HEADER_BYTES = 1 << 20;
const MOST_TOKENIZER_BYTES = 16 << 20;
const [F32, Q8_0] = [0, 8];
/** Number of values of a matrix that share one scale. */
const BLOCK = 32;
/** Maximum number of layers: far more than any published model has. Each layer takes 16 tensors. */
const MOST_LAYERS = 256;

/** Shape of the model, as its `config.json` states. */
export interface Shape {
  readonly layers: number;
  readonly width: number;
  readonly inner: number;
  readonly heads: number;
  readonly contextTokens: number;
  readonly epsilon: number;
}

export interface PublishedModel {
  readonly name: string;
  readonly shape: Shape;
  /** `model.safetensors`. */
  readonly weights: Uint8Array;
  /** `tokenizer.json`. */
  readonly tokenizer: string;
}

/** Returns the bytes of a GGUF file. Fails if the files are not those of an embedding model of the kind BERT. */
export function convertToGguf({ name, shape, weights, tokenizer }: PublishedModel): Result<Buffer> {
  const { epsilon, ...counts } = shape;
  if (!Object.values(counts).every((count) => Number.isInteger(count) && count > 0) || shape.layers > MOST_LAYERS)
    return refuse("its shape is none that a model can have");
  const read = parseTensors(weights);
  if (!read.ok) return read;
  const words = parseWords(tokenizer);
  if (!words.ok) return words;
  const tensors: Tensor[] = [];
  for (const [from, to] of listTensorNames(shape.layers)) {
    const one = read.value.get(from);
    if (one === undefined) return refuse(`it has no tensor ${from}`);
    const made = convertTensor(to, one);
    if (!made.ok) return refuse(`its tensor ${from} ${made.reason}`);
    tensors.push(made.value);
  }
  return accept(
    encodeGguf({ entries: [...buildEntries(name, shape), ...buildTokenizerEntries(words.value)], tensors }),
  );
}

interface Numbers {
  /** Dimensions in the order of the published file: numbers that differ only in the last index are adjacent. */
  readonly dimensions: readonly number[];
  readonly bytes: Uint8Array;
}

function parseTensors(bytes: Uint8Array): Result<ReadonlyMap<string, Numbers>> {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = bytes.length < 8 ? 0n : view.readBigUInt64LE(0);
  if (length === 0n || length > MOST_HEADER_BYTES || 8n + length > bytes.length) return refuse("it is no safetensors");
  const start = 8 + Number(length);
  const head = readJson(view.toString("utf8", 8, start), MOST_HEADER_BYTES);
  if (!head.ok || !isRecord(head.value)) return refuse("its header is no JSON object");
  const found = new Map<string, Numbers>();
  for (const [name, described] of Object.entries(head.value)) {
    if (!isRecord(described) || described["dtype"] !== "F32") continue;
    const [dimensions, offsets] = [parseCounts(described["shape"]), parseCounts(described["data_offsets"])];
    const [from = 0, to = 0] = offsets ?? [];
    const size = 4 * (dimensions ?? [0]).reduce((all, one) => all * one, 1);
    if (dimensions === undefined || to - from !== size || start + to > bytes.length)
      return refuse(`its tensor ${name} does not lie in it`);
    found.set(name, { dimensions, bytes: bytes.subarray(start + from, start + to) });
  }
  return accept(found);
}

function parseCounts(value: Json | undefined): readonly number[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const counts = value.filter((one) => typeof one === "number" && Number.isSafeInteger(one) && one >= 0);
  return counts.length === value.length ? counts : undefined;
}

/**
 * Returns the name of each tensor in the published file (`from`) and in the GGUF file (`to`), in the order of the GGUF
 * file.
 */
function listTensorNames(layers: number): readonly (readonly [from: string, to: string])[] {
  const listWeightAndBias = (from: string, to: string) =>
    ["weight", "bias"].map((part) => [`${from}.${part}`, `${to}.${part}`] as const);
  return [
    ["embeddings.word_embeddings.weight", "token_embd.weight"],
    ["embeddings.position_embeddings.weight", "position_embd.weight"],
    ["embeddings.token_type_embeddings.weight", "token_types.weight"],
    ...listWeightAndBias("embeddings.LayerNorm", "token_embd_norm"),
    ...Array.from({ length: layers }, (_, index) => {
      const [from, to] = [`encoder.layer.${index}`, `blk.${index}`];
      return [
        ...["query", "key", "value"].flatMap((part) =>
          listWeightAndBias(`${from}.attention.self.${part}`, `${to}.attn_${part.slice(0, 1)}`),
        ),
        ...listWeightAndBias(`${from}.attention.output.dense`, `${to}.attn_output`),
        ...listWeightAndBias(`${from}.attention.output.LayerNorm`, `${to}.attn_output_norm`),
        ...listWeightAndBias(`${from}.intermediate.dense`, `${to}.ffn_up`),
        ...listWeightAndBias(`${from}.output.dense`, `${to}.ffn_down`),
        ...listWeightAndBias(`${from}.output.LayerNorm`, `${to}.layer_output_norm`),
      ];
    }).flat(),
  ];
}

/**
 * Converts a tensor. Positions and token types stay unquantised, because the engine adds them without conversion; other
 * matrices may be quantised. Fails if a value is not finite, or if a row of a matrix cannot be split into blocks.
 */
function convertTensor(name: string, { dimensions, bytes }: Numbers): Result<Tensor> {
  // The bytes are copied here and not when they are read, so that only tensors that are written are copied.
  const values = new Float32Array(Uint8Array.from(bytes).buffer);
  if (!values.every(Number.isFinite)) return refuse("has a number that is none");
  const stays = dimensions.length < 2 || name === "position_embd.weight" || name === "token_types.weight";
  const order = dimensions.toReversed();
  if (stays) return accept({ name, dimensions: order, type: F32, bytes: new Uint8Array(values.buffer) });
  if ((order[0] ?? 0) % BLOCK !== 0) return refuse(`has rows that are no multiple of ${BLOCK} numbers`);
  return accept({ name, dimensions: order, type: Q8_0, bytes: quantizeToBlocks(values) });
}

/**
 * Quantises the values in blocks of 32. Each block has a 16-bit scale, and then each value divided by the scale,
 * rounded to 8 bits.
 */
function quantizeToBlocks(values: Float32Array): Uint8Array {
  const bytes = new DataView(new ArrayBuffer((values.length / BLOCK) * (2 + BLOCK)));
  for (let block = 0; block < values.length / BLOCK; block++) {
    const numbers = values.subarray(block * BLOCK, (block + 1) * BLOCK);
    const scale = numbers.reduce((most, one) => Math.max(most, Math.abs(one)), 0) / 127;
    const at = block * (2 + BLOCK);
    bytes.setFloat16(at, scale, true);
    for (const [index, one] of numbers.entries())
      bytes.setInt8(at + 2 + index, scale === 0 ? 0 : Math.round(one / scale));
  }
  return new Uint8Array(bytes.buffer);
}

const makeU32 = (value: number): Value => ({ kind: "u32", value });
const makeText = (value: string): Value => ({ kind: "text", value });
const makeBool = (value: boolean): Value => ({ kind: "bool", value });

/**
 * Returns the entries of the header. They state that a text's vector is the mean of the vectors of its tokens (pooling
 * type 1). They also state that attention is not causal: each token also attends to later tokens.
 */
function buildEntries(name: string, shape: Shape): readonly (readonly [string, Value])[] {
  return [
    ["general.architecture", makeText("bert")],
    ["general.name", makeText(name)],
    ["bert.context_length", makeU32(shape.contextTokens)],
    ["bert.embedding_length", makeU32(shape.width)],
    ["bert.feed_forward_length", makeU32(shape.inner)],
    ["bert.block_count", makeU32(shape.layers)],
    ["bert.attention.head_count", makeU32(shape.heads)],
    ["bert.attention.layer_norm_epsilon", { kind: "f32", value: shape.epsilon }],
    ["bert.attention.causal", makeBool(false)],
    ["bert.pooling_type", makeU32(1)],
  ];
}

const SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"] as const;

/**
 * Returns the words of the vocabulary in the order of their numbers. Fails if the vocabulary is incomplete or not one
 * of WordPiece.
 */
function parseWords(tokenizer: string): Result<readonly string[]> {
  const read = readJson(tokenizer, MOST_TOKENIZER_BYTES);
  const model = getMember(read.ok ? read.value : null, "model");
  const vocabulary = getMember(model, "vocab");
  if (getMember(model, "type") !== "WordPiece" || !isRecord(vocabulary))
    return refuse("its tokenizer has no vocabulary of WordPiece");
  const words: string[] = [];
  for (const [word, number] of Object.entries(vocabulary)) if (typeof number === "number") words[number] = word;
  const isWhole = words.length === Object.keys(vocabulary).length && Object.keys(words).length === words.length;
  return isWhole && SPECIAL.every((word) => words.includes(word))
    ? accept(words)
    : refuse("its vocabulary has gaps, or lacks words that it needs");
}

function getMember(value: Json, name: string): Json {
  return isRecord(value) ? (value[name] ?? null) : null;
}

function buildTokenizerEntries(words: readonly string[]): readonly (readonly [string, Value])[] {
  const isSpecial = (word: string): boolean => SPECIAL.some((one) => one === word);
  // The engine expects a mark where a word begins, and none where one continues, which is the opposite of the published
  // format.
  const spelt = words.map((word) => (isSpecial(word) ? word : word.startsWith("##") ? word.slice(2) : `\u2581${word}`));
  const findTokenId = (word: (typeof SPECIAL)[number]): Value => makeU32(words.indexOf(word));
  return [
    ["tokenizer.ggml.model", makeText("bert")],
    ["tokenizer.ggml.tokens", { kind: "texts", value: spelt }],
    ["tokenizer.ggml.token_type", { kind: "i32s", value: words.map((word) => (isSpecial(word) ? 3 : 1)) }],
    ["tokenizer.ggml.token_type_count", makeU32(2)],
    ["tokenizer.ggml.bos_token_id", findTokenId("[CLS]")],
    ["tokenizer.ggml.eos_token_id", findTokenId("[SEP]")],
    ["tokenizer.ggml.unknown_token_id", findTokenId("[UNK]")],
    ["tokenizer.ggml.seperator_token_id", findTokenId("[SEP]")],
    ["tokenizer.ggml.padding_token_id", findTokenId("[PAD]")],
    ["tokenizer.ggml.cls_token_id", findTokenId("[CLS]")],
    ["tokenizer.ggml.mask_token_id", findTokenId("[MASK]")],
    ["tokenizer.ggml.add_bos_token", makeBool(true)],
    ["tokenizer.ggml.add_eos_token", makeBool(true)],
  ];
}
