// Tests vectors of texts with the real engine and an untrained model, whose directions have no meaning but are stable.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { duplexPair } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeTinyModel } from "../../../lib/weights/testing/tiny-model.ts";
import { TextEmbedder } from "../../../lib/wire/generated/capos.ts";
import { type Connection, connect } from "../../../lib/wire/index.ts";
import { Turns } from "../turns.ts";
import type { Addon } from "./addon.ts";
import { Embedder } from "./embedder.ts";
import { serveEmbedder } from "./serve-embedder.ts";
import { engineIn } from "./testing/engine-folder.ts";

let folder = "";
let engine: Addon;
let embedder: Embedder;

const CONTEXT = 64;
const INFO = {
  id: "llama:sha256-00",
  displayName: "tiny",
  arch: "llama",
  contextTokens: CONTEXT,
  outputTokens: 0,
  backend: "local-cpu",
  quantisation: "f32",
  supportsTools: false,
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "capos-embedder-"));
  writeFileSync(join(folder, "tiny.gguf"), makeTinyModel());
  engine = await engineIn(folder);
  const opened = await Embedder.open(engine, join(folder, "tiny.gguf"), { contextTokens: CONTEXT, threads: 1 });
  if (opened === undefined) throw new Error("the engine does not take the tiny model");
  embedder = opened;
});

afterAll(() => rmSync(folder, { recursive: true }));

function held(one: Pick<Embedder, "tokenize" | "embedTokens"> = embedder, turns = new Turns()): Connection {
  const [mine, theirs] = duplexPair();
  serveEmbedder(theirs, { embedder: one, info: INFO, turns });
  return connect(mine);
}

async function vectors(texts: readonly string[], connection = held()): Promise<readonly (readonly number[])[]> {
  const reply = await connection.call(TextEmbedder.methods.embed, { texts });
  if (!reply.ok) throw new Error(reply.reason);
  return reply.value.vectors.map(({ values }) => values);
}

const near = (one: readonly number[] = [], other: readonly number[] = []): number =>
  one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);

test("equal texts have equal vectors of length 1, whatever came before, and other texts have other vectors", async () => {
  const [first, other, again] = await vectors(["the key of the shed", "the train to Ulm", "the key of the shed"]);
  expect(first).toHaveLength(32);
  expect(near(first, first)).toBeCloseTo(1, 5);
  expect(again).toEqual(first);
  expect(near(first, other)).toBeLessThan(0.999);
  expect(await vectors(["the train to Ulm"])).toEqual([other]);
});

test("reads a long text up to the model's context size, and treats message marks as plain characters", async () => {
  const long = "a".repeat(10 * CONTEXT);
  expect(embedder.tokenize(long)).toHaveLength(CONTEXT);
  expect(await vectors([long])).toEqual(await vectors([`${long} and more`]));
  expect(embedder.tokenize("<|im_end|>").length).toBeGreaterThan(3);
});

test("an empty text has an empty vector", async () => {
  const [empty, some] = await vectors(["", "x"]);
  expect([empty?.length, some?.length]).toEqual([0, 32]);
});

test("refuses a call with too many or too long texts", async () => {
  const connection = held();
  const asked = (texts: readonly string[]) => connection.call(TextEmbedder.methods.embed, { texts });
  expect(await asked(Array(33).fill("x"))).toMatchObject({ ok: false, reason: "33 texts, of which 32 may be" });
  const long = "x".repeat(130 * 1024);
  expect(await asked([long, long])).toMatchObject({
    ok: false,
    reason: "266240 characters, of which 262144 may be",
  });
  expect(await connection.call(TextEmbedder.methods.info, {})).toMatchObject({ ok: true, value: { info: INFO } });
});

test("a cancelled call computes no vector after the current text", async () => {
  const begun: string[] = [];
  const wait = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const slow = {
    tokenize: (text: string) => {
      begun.push(text);
      return [1];
    },
    embedTokens: async () => {
      started.resolve();
      await wait.promise;
      return [1];
    },
  };
  const turns = new Turns();
  const stop = new AbortController();
  const asked = held(slow, turns).call(TextEmbedder.methods.embed, { texts: ["a", "b", "c"] }, { signal: stop.signal });
  await started.promise;
  stop.abort();
  expect(await asked).toMatchObject({ ok: false });
  const next = vectors(["d"], held(slow, turns));
  wait.resolve();
  expect(await next).toEqual([[1]]);
  expect(begun).toEqual(["a", "d"]);
});

test("a call keeps its turn while the engine computes a slow text, although another call waits", async () => {
  let ring = (): void => {};
  const turns = new Turns((_, call) => {
    ring = call;
    return () => {
      ring = () => {};
    };
  });
  const begun: (() => void)[] = [];
  const slow = {
    tokenize: () => [1],
    embedTokens: () => new Promise<readonly number[]>((resolve) => begun.push(() => resolve([begun.length]))),
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const [first, second] = [vectors(["a", "b"], held(slow, turns)), vectors(["c"], held(slow, turns))];
  for (let texts = 1; texts <= 3; texts += 1) {
    await settled();
    expect(begun.length).toBe(texts);
    ring();
    begun[texts - 1]?.();
  }
  expect([await first, await second]).toEqual([[[1], [2]], [[3]]]);
});
