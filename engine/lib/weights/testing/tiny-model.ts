// A model of the llama kind that knows nothing: random numbers, few layers, a vocabulary of bytes. It is small enough to be
// made wherever a test needs weights that the real engine loads.

import { type GgufPlan, ggufBytes, type Tensor, type Value } from "./gguf-writer.ts";

interface TinyPlan {
  readonly seed?: number;
  readonly contextTokens?: number;
  readonly layers?: number;
  /** Numbers for each word of a conversation; an even multiple of 4. More of them take longer. */
  readonly width?: number;
  readonly chatMl?: boolean;
  /** Other entries, or others in place of those that it has. */
  readonly entries?: Readonly<Record<string, Value>>;
}

const WIDTH = 32;
const HEADS = 2;

/** GPT-2 writes bytes that are no letters as letters from 256 on: its vocabulary is text. */
function byteWords(): string[] {
  const isPlain = (byte: number): boolean =>
    (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(isPlain(byte) ? byte : next++));
}

export function tinyVocabulary(chatMl = true): readonly string[] {
  return [...byteWords(), "<|endoftext|>", ...(chatMl ? ["<|im_start|>", "<|im_end|>"] : ["<|a|>", "<|b|>"])];
}

export function tinyPlan(plan: TinyPlan = {}): GgufPlan {
  const { contextTokens = 512, chatMl = true, layers = 1, width = WIDTH } = plan;
  const words = tinyVocabulary(chatMl);
  const [end, start, stop] = [256, 257, 258];
  const text = (value: string): Value => ({ kind: "text", value });
  const u32 = (value: number): Value => ({ kind: "u32", value });
  const entries: Record<string, Value> = {
    "general.architecture": text("llama"),
    "general.name": text("tiny"),
    "llama.context_length": u32(contextTokens),
    "llama.embedding_length": u32(width),
    "llama.block_count": u32(layers),
    "llama.feed_forward_length": u32(2 * width),
    "llama.attention.head_count": u32(HEADS),
    "llama.attention.layer_norm_rms_epsilon": { kind: "f32", value: 1e-5 },
    "tokenizer.ggml.model": text("gpt2"),
    "tokenizer.ggml.pre": text("smollm"),
    "tokenizer.ggml.tokens": { kind: "texts", value: words },
    "tokenizer.ggml.token_type": { kind: "i32s", value: words.map((_, index) => (index < 256 ? 1 : 3)) },
    "tokenizer.ggml.merges": { kind: "texts", value: [] },
    "tokenizer.ggml.bos_token_id": u32(start),
    "tokenizer.ggml.eos_token_id": u32(stop),
    "tokenizer.ggml.unknown_token_id": u32(end),
    ...plan.entries,
  };
  return {
    entries: Object.entries(entries),
    tensors: tensorsOf(words.length, layers, width, randomOf(plan.seed ?? 1)),
  };
}

export function tinyModel(plan?: TinyPlan): Buffer {
  return ggufBytes(tinyPlan(plan));
}

function tensorsOf(words: number, layers: number, width: number, random: () => number): Tensor[] {
  const inner = 2 * width;
  const numbers = (name: string, dimensions: readonly number[], make: () => number): Tensor => {
    const values = Float32Array.from({ length: dimensions.reduce((all, one) => all * one) }, make);
    return { name, dimensions, type: 0, bytes: new Uint8Array(values.buffer) };
  };
  const norm = (name: string): Tensor => numbers(name, [width], () => 1);
  const matrix = (name: string, ...dimensions: number[]): Tensor => numbers(name, dimensions, random);
  const layer = (index: number): Tensor[] => {
    const name = (part: string): string => `blk.${index}.${part}.weight`;
    return [
      norm(name("attn_norm")),
      ...["attn_q", "attn_k", "attn_v", "attn_output"].map((part) => matrix(name(part), width, width)),
      norm(name("ffn_norm")),
      matrix(name("ffn_gate"), width, inner),
      matrix(name("ffn_up"), width, inner),
      matrix(name("ffn_down"), inner, width),
    ];
  };
  return [
    matrix("token_embd.weight", width, words),
    ...Array.from({ length: layers }, (_, index) => layer(index)).flat(),
    norm("output_norm.weight"),
    // Words that end a message are never likely: it goes on until somebody stops it.
    silenced(matrix("output.weight", width, words), 256 * width),
  ];
}

/** With zeros from some number on. */
function silenced(tensor: Tensor, from: number): Tensor {
  const bytes = Uint8Array.from(tensor.bytes);
  bytes.fill(0, from * Float32Array.BYTES_PER_ELEMENT);
  return { ...tensor, bytes };
}

/** Small numbers around zero, the same for the same seed: xorshift. */
function randomOf(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state | 0) / 2 ** 31 / 4;
  };
}
