// A model of the llama kind with random numbers, few layers and a vocabulary of bytes. The real engine can load this
// model, and it is small enough that each test can make it.

import { encodeGguf, type GgufPlan, type Tensor, type Value } from "./gguf-writer.ts";

interface TinyPlan {
  readonly seed?: number;
  readonly contextTokens?: number;
  readonly layers?: number;
  /** Width of the model: how many values represent a token; a multiple of 8. A larger width makes the model slower. */
  readonly width?: number;
  readonly chatMl?: boolean;
  /** Entries of the header that are added or replaced. */
  readonly entries?: Readonly<Record<string, Value>>;
}

const WIDTH = 32;
const HEADS = 2;

/**
 * Returns the words of the vocabulary that represent single bytes. GPT-2 writes bytes that are not letters as
 * characters from 256 on, because its vocabulary is text.
 */
function makeByteWords(): string[] {
  const isPlain = (byte: number): boolean =>
    (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(isPlain(byte) ? byte : next++));
}

export function makeTinyVocabulary(marks: "chatMl" | "letters" = "chatMl"): readonly string[] {
  return [
    ...makeByteWords(),
    "<|endoftext|>",
    ...(marks === "chatMl" ? ["<|im_start|>", "<|im_end|>"] : ["<|a|>", "<|b|>"]),
  ];
}

export function makeTinyPlan(plan: TinyPlan = {}): GgufPlan {
  const { contextTokens = 512, chatMl = true, layers = 1, width = WIDTH } = plan;
  const words = makeTinyVocabulary(chatMl ? "chatMl" : "letters");
  const [end, start, stop] = [256, 257, 258];
  const makeTextValue = (value: string): Value => ({ kind: "text", value });
  const makeU32Value = (value: number): Value => ({ kind: "u32", value });
  const entries: Record<string, Value> = {
    "general.architecture": makeTextValue("llama"),
    "general.name": makeTextValue("tiny"),
    "llama.context_length": makeU32Value(contextTokens),
    "llama.embedding_length": makeU32Value(width),
    "llama.block_count": makeU32Value(layers),
    "llama.feed_forward_length": makeU32Value(2 * width),
    "llama.attention.head_count": makeU32Value(HEADS),
    "llama.attention.layer_norm_rms_epsilon": { kind: "f32", value: 1e-5 },
    "tokenizer.ggml.model": makeTextValue("gpt2"),
    "tokenizer.ggml.pre": makeTextValue("smollm"),
    "tokenizer.ggml.tokens": { kind: "texts", value: words },
    "tokenizer.ggml.token_type": { kind: "i32s", value: words.map((_, index) => (index < 256 ? 1 : 3)) },
    "tokenizer.ggml.merges": { kind: "texts", value: [] },
    "tokenizer.ggml.bos_token_id": makeU32Value(start),
    "tokenizer.ggml.eos_token_id": makeU32Value(stop),
    "tokenizer.ggml.unknown_token_id": makeU32Value(end),
    ...plan.entries,
  };
  return {
    entries: Object.entries(entries),
    tensors: makeTensors(words.length, layers, width, createRandom(plan.seed ?? 1)),
  };
}

export function makeTinyModel(plan?: TinyPlan): Buffer {
  return encodeGguf(makeTinyPlan(plan));
}

function makeTensors(words: number, layers: number, width: number, random: () => number): Tensor[] {
  const inner = 2 * width;
  const makeTensor = (name: string, dimensions: readonly number[], make: () => number): Tensor => {
    const values = Float32Array.from({ length: dimensions.reduce((all, one) => all * one) }, make);
    return { name, dimensions, type: 0, bytes: new Uint8Array(values.buffer) };
  };
  const makeNorm = (name: string): Tensor => makeTensor(name, [width], () => 1);
  const makeMatrix = (name: string, ...dimensions: number[]): Tensor => makeTensor(name, dimensions, random);
  const makeLayer = (index: number): Tensor[] => {
    const name = (part: string): string => `blk.${index}.${part}.weight`;
    return [
      makeNorm(name("attn_norm")),
      ...["attn_q", "attn_k", "attn_v", "attn_output"].map((part) => makeMatrix(name(part), width, width)),
      makeNorm(name("ffn_norm")),
      makeMatrix(name("ffn_gate"), width, inner),
      makeMatrix(name("ffn_up"), width, inner),
      makeMatrix(name("ffn_down"), inner, width),
    ];
  };
  return [
    makeMatrix("token_embd.weight", width, words),
    ...Array.from({ length: layers }, (_, index) => makeLayer(index)).flat(),
    makeNorm("output_norm.weight"),
    // Makes words that end a message unlikely, so that an answer continues until it is stopped.
    silenceTensor(makeMatrix("output.weight", width, words), 256 * width),
  ];
}

/** Sets all numbers from an index on to zero. */
function silenceTensor(tensor: Tensor, from: number): Tensor {
  const bytes = Uint8Array.from(tensor.bytes);
  bytes.fill(0, from * Float32Array.BYTES_PER_ELEMENT);
  return { ...tensor, bytes };
}

/** Returns a source of small numbers around zero, the same for the same seed: xorshift. */
function createRandom(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state | 0) / 2 ** 31 / 4;
  };
}
