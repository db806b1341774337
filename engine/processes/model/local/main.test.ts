// Tests the worker as init starts it: in its own process, with the arguments of its manifest, its card as a descriptor,
// and its holders over a channel. The test uses the real engine and untrained weights.

import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { createServer, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeCard } from "../../../lib/weights/card.ts";
import { readGguf } from "../../../lib/weights/gguf.ts";
import { makeTinyModel } from "../../../lib/weights/testing/tiny-model.ts";
import { LanguageModel, TextEmbedder, TokenStream } from "../../../lib/wire/generated/capos.ts";
import { Card, States } from "../../../lib/wire/generated/manifest.ts";
import { Metering } from "../../../lib/wire/generated/wire.ts";
import { type Connection, connect, encodeMessage } from "../../../lib/wire/index.ts";
import { layEngine } from "./testing/engine-folder.ts";

const PROGRAM = fileURLToPath(new URL("main.ts", import.meta.url));
const WEIGHTS = makeTinyModel();

let folder = "";
let engine = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "capos-local-"));
  engine = layEngine(join(folder, "llama"));
  mkdirSync(join(folder, "prefilled"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function cardWith(change: Partial<Card> = {}): Card {
  const header = readGguf(WEIGHTS, WEIGHTS.length);
  if (!header.ok) throw new Error(header.reason);
  const verity = { contentBytes: BigInt(WEIGHTS.length), salt: new Uint8Array(32), rootHash: new Uint8Array(32) };
  return { ...makeCard(header.value, { sha256: new Uint8Array(32).fill(7), verity }), ...change };
}
const ID = cardWith().id;

interface Given {
  readonly words?: readonly string[];
  readonly card?: Uint8Array;
  readonly weights?: Uint8Array;
  readonly states?: Uint8Array;
}

function started({
  words = [],
  card = encodeMessage(Card, cardWith()),
  weights = WEIGHTS,
  states,
}: Given): ChildProcess {
  const path = join(folder, "model.gguf");
  writeFileSync(path, weights);
  const files = Object.entries({ card, ...(states && { states }) });
  const descriptors = files.map(([name, bytes]) => {
    const at = join(folder, name);
    writeFileSync(at, bytes);
    return openSync(at, "r");
  });
  const places = ["--weights", path, "--engine", engine, "--prefilled", join(folder, "prefilled")];
  const child = spawn(process.execPath, [PROGRAM, "--id", ID, "--context", "512", ...places, ...words], {
    stdio: ["ignore", "ignore", "pipe", "ipc", ...descriptors],
    env: { CAPOS_NAME: "model.tiny", CAPOS_FILES: files.map(([name], index) => `${name}=${4 + index}`).join() },
  });
  for (const descriptor of descriptors) closeSync(descriptor);
  return child;
}

async function serving(given: Given): Promise<ChildProcess> {
  const child = started(given);
  await new Promise((resolve, reject) => {
    child.once("message", resolve);
    child.once("exit", (status) => reject(new Error(`ended with ${status}`)));
  });
  return child;
}

/** Returns the reason why the worker does not start. */
async function refused(given: Given): Promise<string> {
  const child = started(given);
  if (child.stderr === null) throw new Error("a worker without an output");
  const [said, [status]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  expect(status, said).toBe(1);
  return said.trim().split("\n").at(-1) ?? "";
}

/** Gives the child one end of a new connection, as init does, and returns a client on the other end. */
async function held(child: ChildProcess, interfaceId: bigint): Promise<Connection> {
  const server = createServer({ pauseOnConnect: true });
  const path = join(folder, `${interfaceId}`);
  await new Promise<void>((resolve) => server.listen(path, resolve));
  const arrived = once(server, "connection");
  const near = new Socket().connect(path);
  const [far] = await arrived;
  const holder = interfaceId === Metering.id ? "gate.operator" : "loop.operator";
  child.send({ capos: "grant", badge: "1", interfaceId: interfaceId.toString(16), holder, name: "model.tiny" }, far);
  server.close();
  return connect(near);
}

const REQUEST = {
  messages: [{ role: "user" as const, content: "Hello", toolCallId: "", toolCalls: [] }],
  ...{ tools: [], maxTokens: 400, temperature: 0, stopSequences: [], responseSchema: "" },
};

test("a worker reports its card; if it is killed during an answer, the next call of its holder fails", async () => {
  const child = await serving({ words: ["--tools"] });
  const [gate, loop] = [await held(child, Metering.id), await held(child, LanguageModel.id)];
  expect(await loop.call(LanguageModel.methods.info, {})).toMatchObject({
    value: { info: { id: ID, arch: "llama", backend: "local-cpu", contextTokens: 512, supportsTools: true } },
  });
  const nonce = randomBytes(16);
  await gate.call(Metering.methods.allow, { nonce, mostTokens: 500, redactions: [] });
  void gate.call(Metering.methods.asked, { nonce }).then(() => gate.call(Metering.methods.noted, { nonce }));
  expect(await loop.call(LanguageModel.methods.stream, { req: { ...REQUEST, nonce } })).toMatchObject({ ok: true });
  expect(await loop.call(TokenStream.methods.next, {})).toMatchObject({ ok: true, value: { done: false } });
  const under = loop.call(TokenStream.methods.next, {});
  child.kill("SIGKILL");
  const ends = [await under, await loop.call(TokenStream.methods.next, {})];
  // Text that was computed before the kill may have arrived.
  expect(ends[1]).toMatchObject({ ok: false, code: "closed" });
  expect(ends[0]?.ok === true || ends[0]?.code === "closed").toBe(true);
  expect(await gate.call(Metering.methods.ended, { nonce })).toMatchObject({ ok: false, code: "closed" });
});

test("with --embeds, serves vectors and no answers", async () => {
  const child = await serving({ words: ["--embeds"] });
  const store = await held(child, TextEmbedder.id);
  expect(await store.call(TextEmbedder.methods.info, {})).toMatchObject({ value: { info: { id: ID } } });
  const loop = await held(child, LanguageModel.id);
  expect(await loop.call(LanguageModel.methods.info, {})).toMatchObject({ ok: false, code: "closed" });
  child.kill();
});

const beginningOf = (words: string): string => `the model cannot be run: ${words}`;

test("the start fails if the card belongs to other weights than the manifest's", async () => {
  const other = `llama:sha256-${"08".repeat(32)}`;
  const card = encodeMessage(Card, cardWith({ id: other }));
  const said = beginningOf(`its card is of ${other}, and it is to be ${ID}`);
  expect([await refused({ card }), await refused({ card, words: ["--embeds"] })]).toEqual([said, said]);
  expect(await refused({ card: Buffer.alloc(9) })).toMatch(beginningOf("its card: "));
});

test("the start fails on malformed weights before the engine loads them, and on unsupported weights with the engine's reason", async () => {
  const cut = WEIGHTS.subarray(0, 3000);
  expect(await refused({ weights: cut })).toBe(beginningOf("its weights: the header ends in its middle"));
  const weights = makeTinyModel({ entries: { "tokenizer.ggml.model": { kind: "text", value: "none" } } });
  const card = encodeMessage(
    Card,
    cardWith({ verity: { ...cardWith().verity, contentBytes: BigInt(weights.length) } }),
  );
  expect(await refused({ weights, card })).toMatch(beginningOf("the engine does not take its weights: "));
});

test("the start fails if the prefilled states belong to other weights", async () => {
  const states = encodeMessage(States, { schemaVersion: 1, model: "llama:sha256-08", states: [] });
  expect(await refused({ words: ["--states"], states })).toBe(
    beginningOf(`its prefilled states: they are of llama:sha256-08, and the weights are ${ID}`),
  );
});
