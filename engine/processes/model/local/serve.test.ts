// Tests the worker's side of a connection with a simulated engine: when answers end, whatever the engine does.

import { randomBytes } from "node:crypto";
import { duplexPair } from "node:stream";
import { expect, test } from "vitest";
import { type InferenceRequest, LanguageModel, type ModelInfo } from "../../../lib/wire/generated/capos.ts";
import { connect } from "../../../lib/wire/index.ts";
import { Permits } from "../permits.ts";
import { Turns } from "../turns.ts";
import { Decoder } from "./decoder.ts";
import { type LocalModel, serveLocal } from "./serve.ts";
import { type StandIn, standIn } from "./testing/stand-in.ts";

const INFO: ModelInfo = {
  id: "",
  displayName: "",
  arch: "",
  contextTokens: 100,
  outputTokens: 50,
  backend: "",
  quantisation: "",
  supportsTools: false,
};

const asked = (nonce: Uint8Array): { req: InferenceRequest } => ({
  req: {
    messages: [{ role: "user", content: "hello", toolCallId: "", toolCalls: [] }],
    tools: [],
    maxTokens: 12,
    temperature: 0,
    stopSequences: [],
    responseSchema: "",
    nonce,
  },
});

/** Tokenizes each of a request's two parts, the prompt head and the rest, as one token. */
const silent: LocalModel["decoder"] = {
  contextTokens: 100,
  tokenize: () => [1],
  answer: async function* () {
    yield* [];
    return "whole";
  },
};

test("cancelling a call of `complete` returns its turn and permit", async () => {
  const begun = Promise.withResolvers<void>();
  const decoder: LocalModel["decoder"] = {
    ...silent,
    // One more token comes after the cancellation, as from an engine that was computing it.
    answer: async function* (_, stop) {
      begun.resolve();
      await new Promise((resolve) => stop.addEventListener("abort", resolve, { once: true }));
      yield "late";
      return "stopped";
    },
  };
  const [mine, theirs] = duplexPair();
  const [permits, nonce, turns] = [new Permits(), randomBytes(16), new Turns()];
  permits.allow(nonce, 100);
  serveLocal(theirs, { decoder, info: INFO, turns }, permits);
  const giveUp = new AbortController();
  const whole = connect(mine).call(LanguageModel.methods.complete, asked(nonce), { signal: giveUp.signal });
  await begun.promise;
  giveUp.abort();
  expect(await whole).toMatchObject({ ok: false });
  expect(await permits.awaitUsage(nonce)).toEqual({ promptTokens: 2, outputTokens: 1 });
  expect(await turns.acquire(new AbortController().signal)).toBeDefined();
});

/** Returns the answer of `complete` from an engine that a test defines, or the reason why it fails. */
async function answered(engine: StandIn, more: Partial<InferenceRequest> = {}) {
  const decoder = await Decoder.open(standIn(engine), "", { contextTokens: 100, threads: 1 });
  if (decoder === undefined) throw new Error("the engine does not open");
  const [mine, theirs] = duplexPair();
  const { req } = asked(randomBytes(16));
  const permits = new Permits();
  permits.allow(req.nonce, 100);
  serveLocal(theirs, { decoder, info: INFO, turns: new Turns() }, permits);
  const reply = await connect(mine).call(LanguageModel.methods.complete, { req: { ...req, ...more } });
  if (!reply.ok) return reply.reason;
  const { message, finishReason } = reply.value.resp;
  return [message.content, finishReason];
}

/** Returns an engine that produces this text and then ends its answer. */
function saying(text: string): StandIn {
  let said = 0;
  return {
    next: () => {
      said += 1;
      return text.charCodeAt(said - 1) || 0;
    },
  };
}

test("an answer that runs out of tokens has the finish reason `length`, and any other answer has `stop`", async () => {
  expect(await answered(saying("It hangs there."), { maxTokens: 8 })).toEqual(["It hangs", "length"]);
  expect(await answered(saying("It hangs."), { maxTokens: 10 })).toEqual(["It hangs.", "stop"]);
});

test("an answer ends before a stop sequence; an empty or long stop sequence is refused, and so are too many of them", async () => {
  expect(await answered(saying("a STOP"), { stopSequences: ["STOP"] })).toEqual(["a ", "stop"]);
  const refused = "at most 16 stops are looked for, of 1 to 256 characters each";
  for (const stopSequences of [[""], ["a".repeat(257)], Array.from({ length: 17 }, () => "b")])
    expect(await answered(saying("a STOP"), { stopSequences })).toBe(refused);
  const most = [...Array.from({ length: 15 }, () => "b"), "c".repeat(256)];
  expect(await answered(saying("a STOP"), { stopSequences: most })).toEqual(["a STOP", "stop"]);
});

const CITY = JSON.stringify({
  type: "object",
  additionalProperties: false,
  properties: { name: { type: "string" }, arguments: { type: "object" } },
  required: ["name", "arguments"],
});

test("without tools, an answer with a schema is never a call, and an answer that is cut or does not fit is refused", async () => {
  const looksLikeCall = '{"name": "a", "arguments": {}}';
  const more = { responseSchema: CITY, maxTokens: 50 };
  expect(await answered(saying(looksLikeCall), more)).toEqual([looksLikeCall, "stop"]);
  const misfit = "the model's answer does not fit the schema that was asked for: the answer";
  expect(await answered(saying(looksLikeCall), { ...more, maxTokens: 20 })).toBe(`${misfit} was cut off`);
  expect(await answered(saying('{"name": "a"}'), more)).toBe(`${misfit}.arguments is missing`);
});

test("together with tools, refuses a schema that begins like a call or has no grammar", async () => {
  const tool = {
    name: "a",
    description: "",
    interfaceId: 0n,
    methodName: "",
    category: "",
    permission: "auto" as const,
  };
  const ask = async (responseSchema: string) => {
    const { req } = asked(randomBytes(16));
    const [mine, theirs] = duplexPair();
    const permits = new Permits();
    permits.allow(req.nonce, 100);
    serveLocal(theirs, { decoder: silent, info: { ...INFO, supportsTools: true }, turns: new Turns() }, permits);
    const tools = [{ ...tool, paramSchema: '{"type":"object"}' }];
    const reply = await connect(mine).call(LanguageModel.methods.complete, { req: { ...req, tools, responseSchema } });
    return reply.ok ? "" : reply.reason;
  };
  const refused =
    "responseSchema is not supported: it has a member `name` beside tools, or more than this model's grammar holds";
  expect(await ask(CITY)).toBe(refused);
  const properties = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`p${at}`, { type: "boolean" }]));
  expect(await ask(JSON.stringify({ type: "object", additionalProperties: false, properties }))).toBe(refused);
});

test("if the permit is used up, the answer ends in the decoder too", async () => {
  let isEnded = false;
  const decoder: LocalModel["decoder"] = {
    ...silent,
    answer: async function* () {
      try {
        for (;;) yield "a";
      } finally {
        isEnded = true;
      }
    },
  };
  const [mine, theirs] = duplexPair();
  const [permits, { req }] = [new Permits(), asked(randomBytes(16))];
  permits.allow(req.nonce, 3);
  serveLocal(theirs, { decoder, info: INFO, turns: new Turns() }, permits);
  const reply = await connect(mine).call(LanguageModel.methods.complete, { req });
  expect(reply).toMatchObject({ ok: false, reason: "the page's tokens are used up: 3 were left for this answer" });
  expect(isEnded).toBe(true);
});

test("a request with a tool that has no grammar fails, gets no answer tokens, and leaves the turn free", async () => {
  // The grammar of an enum is built by a function with one argument for each option. A function cannot take so many
  // arguments, so building the grammar fails.
  const options = Array.from({ length: 240_000 }, () => 0);
  const properties = { x: { type: "integer", enum: options } };
  const paramSchema = JSON.stringify({ type: "object", additionalProperties: false, properties, required: [] });
  const tool = { name: "a", description: "", interfaceId: 0n, methodName: "", category: "" };
  const { req } = asked(randomBytes(16));
  const [mine, theirs] = duplexPair();
  const [permits, turns] = [new Permits(), new Turns()];
  permits.allow(req.nonce, 100);
  serveLocal(theirs, { decoder: silent, info: { ...INFO, supportsTools: true }, turns }, permits);
  const tools = [{ ...tool, paramSchema, permission: "auto" as const }];
  const begun = await connect(mine).call(LanguageModel.methods.stream, { req: { ...req, tools } });
  expect(begun).toMatchObject({ ok: false });
  expect(await permits.awaitUsage(req.nonce)).toEqual({ promptTokens: 2, outputTokens: 0 });
  expect(await turns.acquire(new AbortController().signal)).toBeDefined();
});
