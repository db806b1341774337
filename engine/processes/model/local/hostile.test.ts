// Tests malformed weights with a valid signature. Hostile weights can crash their own process, within its limits, but have no other
// effect. Each file is tried in a separate process, whose parent survives.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { encodeGguf, type Value } from "../../../lib/weights/testing/gguf-writer.ts";
import { makeTinyModel, makeTinyPlan, makeTinyVocabulary } from "../../../lib/weights/testing/tiny-model.ts";
import { layEngine } from "./testing/engine-folder.ts";

const PROGRAM = fileURLToPath(new URL("testing/opening.ts", import.meta.url));
/** Limits of a process, whatever its input: private memory, most of which Node reserves, and 20 seconds of processor time. */
const LIMITS = [`--data=${2048 * 1024 * 1024}`, "--cpu=20", "--core=0", "--nproc=4096"];

const u32 = (value: number): Value => ({ kind: "u32", value });
const words = makeTinyVocabulary();
const withEntry = (key: string, value: Value): Buffer => makeTinyModel({ entries: { [key]: value } });
const texts = (value: readonly string[]): Value => ({ kind: "texts", value });
const numbered = (value: readonly number[]): Value => ({ kind: "i32s", value });

/** Returns the model with one tensor changed: other dimensions over the same number of bytes, or other numbers. */
function withTensor(name: string, change: { dimensions?: readonly number[]; fill?: number }): Buffer {
  const plan = makeTinyPlan();
  const tensors = plan.tensors.map((tensor) => {
    if (tensor.name !== name) return tensor;
    const { fill, dimensions = tensor.dimensions } = change;
    const numbers = dimensions.reduce((all, one) => all * one, 1);
    const filled = fill === undefined ? undefined : Float32Array.from({ length: numbers }, () => fill);
    const bytes = filled === undefined ? Buffer.alloc(numbers * 4, tensor.bytes) : new Uint8Array(filled.buffer);
    return { ...tensor, dimensions, bytes };
  });
  return encodeGguf({ ...plan, tensors });
}

const honest = makeTinyModel();
const withCount = (at: number, value: bigint): Buffer => {
  const bytes = Buffer.from(honest);
  bytes.writeBigUInt64LE(value, at);
  return bytes;
};

/**
 * Expected result of a hostile file, as a pattern: our check of the header refuses the file before the engine reads it.
 */
const BEFORE = /^refused before the engine: /;
const REFUSED = /^refused by the engine: /;
/** The engine may refuse the file, crash, or answer noise, depending on its release. */
const ANY_END = /^(refused by the engine: |answers: |fails: |ended by )/;
const HOSTILE: Readonly<Record<string, readonly [bytes: Uint8Array, becomes: RegExp]>> = {
  "an offset before the end of another tensor": [
    encodeGguf({
      ...makeTinyPlan(),
      tensors: makeTinyPlan().tensors.map((one, at) => (at === 3 ? { ...one, offset: 64 } : one)),
    }),
    BEFORE,
  ],
  "a count of tensors beyond the file": [withCount(8, 2n ** 60n), BEFORE],
  "a count of entries beyond the file": [withCount(16, 2n ** 60n), BEFORE],
  "truncated numbers": [honest.subarray(0, honest.length - 4096), BEFORE],
  "a transposed tensor": [withTensor("blk.0.ffn_down.weight", { dimensions: [32, 64] }), REFUSED],
  "a tensor of half the size": [withTensor("blk.0.attn_q.weight", { dimensions: [32, 16] }), REFUSED],
  "a table with fewer words than the vocabulary": [withTensor("token_embd.weight", { dimensions: [32, 8] }), REFUSED],
  "numbers that are NaN": [withTensor("blk.0.attn_k.weight", { fill: Number.NaN }), REFUSED],
  "enormous numbers": [withTensor("blk.0.attn_v.weight", { fill: 3e38 }), ANY_END],
  "four billion layers": [withEntry("llama.block_count", u32(2 ** 32 - 1)), ANY_END],
  "no layers": [withEntry("llama.block_count", u32(0)), ANY_END],
  "no heads": [withEntry("llama.attention.head_count", u32(0)), ANY_END],
  "heads that do not divide": [withEntry("llama.attention.head_count", u32(7)), ANY_END],
  "more key heads than heads": [withEntry("llama.attention.head_count_kv", u32(64)), ANY_END],
  "a width of zero": [withEntry("llama.embedding_length", u32(0)), ANY_END],
  "a width of billions": [withEntry("llama.embedding_length", u32(2 ** 31)), ANY_END],
  "more rotary dimensions than a head has": [withEntry("llama.rope.dimension_count", u32(4096)), ANY_END],
  "missing experts": [withEntry("llama.expert_count", u32(2 ** 31)), ANY_END],
  "a norm of NaN": [withEntry("llama.attention.layer_norm_rms_epsilon", { kind: "f32", value: Number.NaN }), ANY_END],
  "an unknown architecture": [
    withEntry("general.architecture", { kind: "text", value: "hal9000" }),
    /^refused before the engine: it does not say hal9000/,
  ],
  "an unknown tokenizer": [withEntry("tokenizer.ggml.model", { kind: "text", value: "x".repeat(200) }), REFUSED],
  "a vocabulary of one word": [withEntry("tokenizer.ggml.tokens", texts(words.map(() => "a"))), ANY_END],
  "empty words": [withEntry("tokenizer.ggml.tokens", texts(words.map((_, at) => (at < 250 ? "" : "z")))), ANY_END],
  "words that are not text": [
    withEntry("tokenizer.ggml.tokens", texts(words.map((word) => `${word}\u0000\ud800`))),
    ANY_END,
  ],
  "unknown kinds of words": [withEntry("tokenizer.ggml.token_type", numbered(words.map(() => 2 ** 30))), ANY_END],
  "fewer kinds than words": [withEntry("tokenizer.ggml.token_type", numbered([1])), ANY_END],
  "merges of missing words": [
    withEntry("tokenizer.ggml.merges", texts(["", " ", "a", "zz  zz", "\u0000 \u0000"])),
    ANY_END,
  ],
  "an end token beyond the vocabulary": [withEntry("tokenizer.ggml.eos_token_id", u32(2 ** 31)), ANY_END],
  "a beginning token beyond the vocabulary": [withEntry("tokenizer.ggml.bos_token_id", u32(2 ** 32 - 1)), ANY_END],
};

const folder = mkdtempSync(join(tmpdir(), "capos-hostile-"));
afterAll(() => rmSync(folder, { recursive: true }));
const names = Object.keys(HOSTILE);
/** Substitutes for the debuggers that the engine knows; each records that it was started. */
const debuggers = join(folder, "debuggers");
const noted = join(folder, "debugged");
mkdirSync(debuggers);
for (const name of ["gdb", "lldb"])
  writeFileSync(join(debuggers, name), `#!/bin/sh\necho ${name} >> ${noted}\n`, { mode: 0o755 });
const became = await triedAll();

/**
 * Loads all files in one process. If a file ends the process, the next process begins with the file after it. Returns
 * one line for each file.
 */
async function triedAll(): Promise<readonly string[]> {
  const engine = layEngine(join(folder, "llama"));
  const paths = names.map((name, at) => {
    const path = join(folder, `${at}.gguf`);
    writeFileSync(path, HOSTILE[name]?.[0] ?? Buffer.alloc(0));
    return path;
  });
  const all: string[] = [];
  while (all.length < paths.length) {
    const command = [...LIMITS, process.execPath, PROGRAM, "--engine", engine, ...paths.slice(all.length)];
    const env = { ...process.env, PATH: `${debuggers}:${process.env["PATH"]}` };
    const child = spawn("prlimit", command, { stdio: ["ignore", "pipe", "ignore"], env });
    const [said, [status, signal]] = await Promise.all([text(child.stdout), once(child, "exit")]);
    all.push(...said.split("\n").filter((line) => line !== ""));
    if (status === 0) break;
    all.push(`ended by ${signal ?? `status ${status}`}`);
  }
  return all;
}

test("every hostile weights file is tried, and the parent process survives", () => {
  expect(became).toHaveLength(names.length);
});

test("a crash of the engine starts no debugger", () => {
  expect(became.some((one) => one.startsWith("ended by SIGABRT"))).toBe(true);
  expect(existsSync(noted)).toBe(false);
});

test.each(names)("malformed weights end at most the process that loads them: %s", (name) => {
  expect(became[names.indexOf(name)]).toMatch(HOSTILE[name]?.[1] ?? /never/);
});
