// Tests precomputed states, with the real engine and an untrained model.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { encodeGguf } from "../../../lib/weights/testing/gguf-writer.ts";
import { makeTinyModel, makeTinyPlan } from "../../../lib/weights/testing/tiny-model.ts";
import { type State, States } from "../../../lib/wire/generated/manifest.ts";
import { encodeMessage } from "../../../lib/wire/index.ts";
import type { Addon } from "./addon.ts";
import type { Piece } from "./chat.ts";
import { Decoder } from "./decoder.ts";
import { loadEngine } from "./engine.ts";
import { type PrefillResult, prefill } from "./prefill.ts";
import { readStateTokens } from "./state.ts";
import { openStates } from "./states.ts";
import { layEngine } from "./testing/engine-folder.ts";

const [MODEL, CONTEXT] = ["llama:sha256-07", 512];
const HEAD: readonly Piece[] = [{ text: "You are the agent of this machine.", isMark: false }];
const ASKED: readonly Piece[] = [...HEAD, { text: " Which notes are there?", isMark: false }];

let folder = "";
let engine: Addon;
let made: readonly PrefillResult[];
const weights = (): string => join(folder, "tiny.gguf");

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "capos-states-"));
  writeFileSync(weights(), makeTinyModel({ layers: 2 }));
  mkdirSync(join(folder, "states"));
  const laid = layEngine(join(folder, "llama"));
  const order = {
    engine: laid,
    weights: weights(),
    model: MODEL,
    contextTokens: CONTEXT,
    folder: join(folder, "states"),
  };
  made = await Array.fromAsync(prefill({ ...order, heads: [HEAD, [{ text: "x".repeat(CONTEXT), isMark: false }]] }));
  const loaded = await loadEngine(laid, () => {});
  if (!loaded.ok) throw new Error(loaded.reason);
  engine = loaded.value;
});

afterAll(() => rmSync(folder, { recursive: true }));

const KEY = (): string => {
  const [first] = made;
  if (first?.kind !== "made") throw new Error("no state was made");
  return first.key;
};
const bytesOfState = (): Buffer => readFileSync(join(folder, "states", KEY()));

function listed(change: Partial<State> = {}, model = MODEL): Uint8Array {
  const state = {
    key: Buffer.from(KEY(), "hex"),
    tokens: 34,
    bytes: BigInt(bytesOfState().length),
    rows: ["operator"],
  };
  return encodeMessage(States, { schemaVersion: 1, model, states: [{ ...state, ...change }] });
}

const opened = (list: Uint8Array, at = "states", contextTokens = CONTEXT) =>
  openStates({ list, folder: join(folder, at), model: MODEL, contextTokens });

async function decoder(list?: Uint8Array): Promise<Decoder> {
  const states = list === undefined ? undefined : opened(list);
  if (states?.ok === false) throw new Error(states.reason);
  const options = { contextTokens: CONTEXT, threads: 1, ...(states && { stateOf: states.value }) };
  const one = await Decoder.open(engine, weights(), options);
  if (one === undefined) throw new Error("the engine does not take the tiny model");
  return one;
}

async function answer(one: Decoder, pieces: readonly Piece[] = ASKED) {
  const before = one.computed;
  const head = one.tokenize(HEAD).length;
  const asked = { prompt: one.tokenize(pieces), head, mostTokens: 8, temperature: 0 };
  let text = "";
  for await (const piece of one.answer(asked, AbortSignal.timeout(60_000))) text += piece;
  return { text, computed: one.computed - before };
}

test("computes the state of a prompt head that fits, and reports one that leaves no space for an answer", () => {
  expect(made).toEqual([
    { kind: "made", key: expect.stringMatching(/^[0-9a-f]{64}$/), tokens: 34, bytes: bytesOfState().length },
    { kind: "tooLong", tokens: CONTEXT },
  ]);
});

test("reports a state that no worker accepts, and leaves no files", async () => {
  // Each layer stores more bytes for a token than the limit.
  const wide = 33 * 1024;
  const u32 = (value: number) => ({ kind: "u32", value }) as const;
  const entries = {
    "llama.attention.head_count": u32(1),
    "llama.attention.key_length": u32(wide),
    "llama.attention.value_length": u32(wide),
  };
  const plan = makeTinyPlan({ entries });
  const tensors = plan.tensors.map((tensor) => {
    if (!tensor.name.includes("attn_") || tensor.name.includes("norm")) return tensor;
    const dimensions = tensor.name.includes("output") ? [wide, 32] : [32, wide];
    return { ...tensor, dimensions, bytes: new Uint8Array(32 * wide * 4) };
  });
  const order = { engine: join(folder, "llama"), model: MODEL, contextTokens: CONTEXT, folder: join(folder, "wide") };
  mkdirSync(order.folder);
  writeFileSync(join(folder, "wide.gguf"), encodeGguf({ ...plan, tensors }));
  const told = await Array.fromAsync(prefill({ ...order, weights: join(folder, "wide.gguf"), heads: [HEAD] }));
  expect(told).toEqual([{ kind: "unread", reason: "a layer's rows have no size that is known" }]);
  expect(readdirSync(order.folder)).toEqual([]);
});

test("loads the state of a prompt head instead of computing it, and gives the answer that the computed state gives", async () => {
  const [without, having] = [await decoder(), await decoder(listed())];
  const [computed, read] = [await answer(without), await answer(having)];
  expect(read.text).toBe(computed.text);
  expect(computed.computed - read.computed).toBe(34);
});

test("loads the state again after another conversation, and gives the same answer as before it", async () => {
  const one = await decoder(listed());
  const first = await answer(one);
  const other: readonly Piece[] = [{ text: "You are another thing altogether, and longer than that.", isMark: false }];
  await answer(one, other);
  expect(await answer(one)).toEqual(first);
});

test("computes a prompt head that has no state", async () => {
  const one = await decoder(listed());
  const shorter = ASKED.with(0, { text: "You are the agent of this machine!", isMark: false });
  const [mine, theirs] = [await answer(one, shorter), await answer(await decoder(), shorter)];
  expect(mine).toEqual(theirs);
});

test("the start fails if a state belongs to other weights or tokens, or has another size or context", () => {
  const refused = (list: Uint8Array, contextTokens?: number): string => {
    const found = opened(list, "states", contextTokens);
    return found.ok ? "taken" : found.reason.replaceAll(KEY(), "KEY");
  };
  expect(refused(listed())).toBe("taken");
  const other = "llama:sha256-08";
  expect(refused(listed({}, other))).toBe(`they are of ${other}, and the weights are ${MODEL}`);
  expect(refused(listed({ tokens: 33 }))).toBe("KEY: it is of other tokens");
  const size = bytesOfState().length;
  expect(refused(listed({ bytes: 7n }))).toBe(`KEY: it has ${size} bytes, and 7 are said`);
  expect(refused(listed(), 33)).toBe("KEY: 34 tokens, of which 33 may be");
  expect(refused(encodeMessage(States, { schemaVersion: 2, model: MODEL, states: [] }))).toMatch(/version 2$/);
  const renamed = "07".repeat(32);
  writeFileSync(join(folder, "states", renamed), bytesOfState());
  const key = Buffer.from(renamed, "hex");
  expect(refused(listed({ key }))).toBe(`${renamed}: it is of other tokens`);
});

test("property: reads any bytes as a well-formed state, or refuses them with a reason", () => {
  const honest = bytesOfState();
  const spoiled = fc.array(fc.tuple(fc.nat(700), fc.nat(255)), { minLength: 1, maxLength: 4 }).map((changes) => {
    const bytes = Buffer.from(honest);
    for (const [at, value] of changes) bytes[at] = value;
    return bytes;
  });
  const cut = fc.nat(honest.length - 1).map((length) => honest.subarray(0, length));
  let refused = 0;
  fc.assert(
    fc.property(fc.oneof({ weight: 4, arbitrary: spoiled }, cut, fc.uint8Array({ maxLength: 99 })), (bytes) => {
      const file = Buffer.from(bytes);
      const readAt = (offset: number, length: number): Buffer => {
        expect(offset + length).toBeLessThanOrEqual(file.length);
        return file.subarray(offset, offset + length);
      };
      const found = readStateTokens(readAt, file.length, CONTEXT);
      if (found.ok) expect(found.value).toHaveLength(34);
      else refused += 1;
    }),
    { numRuns: 400 },
  );
  expect(refused).toBeGreaterThan(100);
  expect(readStateTokens((at, length) => honest.subarray(at, at + length), honest.length, CONTEXT).ok).toBe(true);
});

test("refuses a state that is too large, or whose counts exceed the limits, before it reads the rest", () => {
  const nothing = (): never => {
    throw new Error("it was read");
  };
  const most = 256 * 1024 * 1024;
  expect(readStateTokens(nothing, most + 1, CONTEXT)).toMatchObject({
    reason: `${most + 1} bytes, the limit is ${most}`,
  });
  expect(() => readStateTokens(nothing, most, CONTEXT)).toThrow("it was read");
  const spoiled = (at: number, word: number) => {
    const bytes = Buffer.from(bytesOfState());
    bytes.writeUInt32LE(word, at);
    const found = readStateTokens((from, length) => bytes.subarray(from, from + length), bytes.length, CONTEXT);
    return found.ok ? "taken" : found.reason;
  };
  const layers = 4 * (3 + 34 + 2 + 3 * 34 + 1);
  expect([spoiled(8, 34), spoiled(layers, 2)]).toEqual(["taken", "taken"]);
  expect(spoiled(8, CONTEXT + 1)).toBe(`${CONTEXT + 1} tokens, of which ${CONTEXT} may be`);
  expect(spoiled(layers, 513)).toBe("513 layers");
  const rows = "a layer's rows have no size that is known";
  expect([spoiled(layers + 8, 64 * 1024 + 2), spoiled(layers + 12, 1)]).toEqual([rows, rows]);
  const many = Array.from({ length: 65 }, () => ({ key: new Uint8Array(32), tokens: 1, bytes: 1n, rows: [] }));
  const list = opened(encodeMessage(States, { schemaVersion: 1, model: MODEL, states: many }));
  expect(list).toMatchObject({ reason: "65 of them, the limit is 64" });
});

test("if a stored state has other tokens than the prompt, the answer fails, and no part of the state stays in memory", async () => {
  const path = join(folder, "states", KEY());
  const shown = [path];
  const options = { contextTokens: CONTEXT, threads: 1, stateOf: () => shown.pop() };
  const strange = await Decoder.open(engine, weights(), options);
  if (strange === undefined) throw new Error("the engine does not take the tiny model");
  const other: readonly Piece[] = [{ text: "You are the agent of that machine, and of another one.", isMark: false }];
  await expect(answer(strange, other)).rejects.toThrow(/a state of other tokens$/);
  expect((await answer(strange, other)).text).toBe((await answer(await decoder(), other)).text);
});

test("the engine refuses a state for a model with more layers", async () => {
  writeFileSync(join(folder, "deep.gguf"), makeTinyModel({ layers: 3 }));
  const states = opened(listed());
  if (!states.ok) throw new Error(states.reason);
  const options = { contextTokens: CONTEXT, threads: 1, stateOf: states.value };
  const deep = await Decoder.open(engine, join(folder, "deep.gguf"), options);
  if (deep === undefined) throw new Error("the engine does not take the deep model");
  await expect(answer(deep)).rejects.toThrow();
  // The partly loaded state does not affect later answers.
  const other: readonly Piece[] = [{ text: "Another beginning of some length.", isMark: false }];
  const fresh = await Decoder.open(engine, join(folder, "deep.gguf"), { contextTokens: CONTEXT, threads: 1 });
  expect((await answer(deep, other)).text).toBe(fresh && (await answer(fresh, other)).text);
});
