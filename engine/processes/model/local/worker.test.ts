// Tests the worker as the image runs it, with the real engine and an untrained model. The model's answers are noise, but must satisfy
// every rule for answers.

import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { duplexPair } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeTinyModel } from "../../../lib/weights/testing/tiny-model.ts";
import {
  type InferenceRequest,
  LanguageModel,
  TokenStream,
  type ToolDescriptor,
} from "../../../lib/wire/generated/capos.ts";
import { type Connection, connect } from "../../../lib/wire/index.ts";
import { Permits } from "../permits.ts";
import { Turns } from "../turns.ts";
import type { Addon, AddonContext } from "./addon.ts";
import { renderChat, renderHead } from "./chat.ts";
import { Decoder, type Decoding } from "./decoder.ts";
import { buildGrammar, callOf } from "./grammar/answers.ts";
import { renderGbnf } from "./grammar/expression.ts";
import { buildInfo } from "./introduction.ts";
import { serveLocal } from "./serve.ts";
import { engineIn } from "./testing/engine-folder.ts";

const CARD = {
  schemaVersion: 1,
  id: "llama:sha256-00",
  displayName: "tiny",
  arch: "llama",
  quantisation: "f32",
  contextTokens: 512,
  sha256: new Uint8Array(),
  verity: { contentBytes: 0n, salt: new Uint8Array(), rootHash: new Uint8Array() },
};

let folder = "";
let engine: Addon;
let decoder: Decoder;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "capos-model-"));
  writeFileSync(join(folder, "tiny.gguf"), makeTinyModel());
  engine = await engineIn(folder);
  const opened = await Decoder.open(engine, join(folder, "tiny.gguf"), { contextTokens: 512, threads: 1 });
  if (opened === undefined) throw new Error("the engine does not take the tiny model");
  decoder = opened;
});

afterAll(() => rmSync(folder, { recursive: true }));

const turns = new Turns();
const PERMITS = new Permits();

/** Permits a new nonce, as a gate does before its loop sends a request, and returns it. */
function allowed(mostTokens = 4000): Uint8Array {
  const nonce = randomBytes(16);
  PERMITS.allow(nonce, mostTokens);
  return nonce;
}

function model(
  callsTools = true,
  decodes: Pick<Decoder, "answer" | "contextTokens" | "tokenize"> = decoder,
): Connection {
  const [mine, theirs] = duplexPair();
  const info = buildInfo(CARD, { id: CARD.id, contextTokens: 512, callsTools });
  serveLocal(theirs, { decoder: decodes, info, turns }, PERMITS);
  return connect(mine);
}

const READ: ToolDescriptor = {
  name: "notes.read",
  description: "Reads a note.",
  interfaceId: 1n,
  methodName: "read",
  paramSchema:
    '{"additionalProperties":false,"properties":{"path":{"maxLength":3,"type":"string"}},"required":["path"],"type":"object"}',
  permission: "auto",
  category: "readOnly",
};

function request(content: string, more: Partial<InferenceRequest> = {}): { req: InferenceRequest } {
  return {
    req: {
      messages: [{ role: "user", content, toolCallId: "", toolCalls: [] }],
      tools: [],
      maxTokens: 12,
      temperature: 0,
      stopSequences: [],
      responseSchema: "",
      nonce: allowed(),
      ...more,
    },
  };
}

async function streamed(connection: Connection, asked: { req: InferenceRequest }) {
  const opened = await connection.call(LanguageModel.methods.stream, asked);
  if (!opened.ok) return { text: opened.reason, chunks: 0 };
  let text = "";
  for (let chunks = 0; ; chunks++) {
    const next = await connection.call(TokenStream.methods.next, {});
    if (!next.ok) return { text: next.reason, chunks };
    if (next.value.done) return { text, chunks };
    text += next.value.chunk.textDelta;
  }
}

test("the same request always gets the same answer, whether it comes in pieces or as a whole", async () => {
  const connection = model();
  const first = await streamed(connection, request("hello"));
  expect(first.chunks).toBeGreaterThan(1);
  expect(first.chunks).toBeLessThanOrEqual(12);
  expect(await streamed(connection, request("something else, between"))).not.toEqual(first);
  expect(await streamed(connection, request("hello"))).toEqual(first);
  const whole = await connection.call(LanguageModel.methods.complete, request("hello"));
  expect(whole).toMatchObject({ ok: true, value: { resp: { message: { content: first.text, toolCalls: [] } } } });
});

test("an answer with a schema fits the schema", async () => {
  const responseSchema = JSON.stringify({
    type: "object",
    additionalProperties: false,
    properties: {
      size: { type: "string", enum: ["small", "large"] },
      count: { type: "integer", minimum: 1, maximum: 9 },
    },
    required: ["size", "count"],
  });
  const { text } = await streamed(model(), request("hello", { responseSchema, maxTokens: 100 }));
  expect(text).toMatch(/^\{"size": "(small|large)", "count": [1-9]\}$/);
  const beside = await streamed(model(), request("hello", { responseSchema, tools: [READ], maxTokens: 100 }));
  expect(beside.text).toMatch(/^(\{"size": "(small|large)", "count": [1-9]\})?$/);
});

test("a cancelled stream ends after the current token, and another stream can begin", async () => {
  const connection = model();
  await connection.call(LanguageModel.methods.stream, request("hello", { maxTokens: 400 }));
  await connection.call(TokenStream.methods.next, {});
  await connection.call(TokenStream.methods.cancel, {});
  expect(await connection.call(TokenStream.methods.next, {})).toMatchObject({ ok: true, value: { done: true } });
  expect((await streamed(connection, request("hello"))).chunks).toBeGreaterThan(1);
});

test("a second holder waits for its turn, and a closed connection releases the turn", async () => {
  const [first, second] = [model(), model()];
  await first.call(LanguageModel.methods.stream, request("hello", { maxTokens: 400 }));
  const waiting = streamed(second, request("hello"));
  first.close();
  expect((await waiting).chunks).toBeGreaterThan(1);
});

test("answers only under the gate's permit, and ends an answer when the permit's tokens are used up", async () => {
  const unallowed = request("hello", { nonce: randomBytes(16) });
  expect((await streamed(model(), unallowed)).text).toBe("the gate has not allowed this request");
  const prompt = decoder.tokenize(renderChat(request("hello").req.messages, [])).length;
  const nonce = allowed(prompt + 5);
  const cut = await streamed(model(), request("hello", { nonce }));
  expect(cut.chunks).toBeLessThanOrEqual(5);
  expect(cut.text).toMatch(/tokens/);
  expect(await PERMITS.awaitUsage(nonce)).toEqual({ promptTokens: prompt, outputTokens: 5 });
  const refused = await streamed(model(), request("hello", { nonce: allowed(3) }));
  expect(refused.text).toBe(`the prompt has ${prompt} tokens, and 3 are left of what the page allows`);
});

test("refuses a conversation that does not fit, with the reason", async () => {
  expect((await streamed(model(), request("x".repeat(600)))).text).toMatch(
    /^\d+ tokens, of which this model holds 512$/,
  );
});

test("passes the length of the shared head to the decoder: the system prompt and the tools", async () => {
  const asked: Decoding[] = [];
  const decodes = {
    contextTokens: 512,
    tokenize: decoder.tokenize.bind(decoder),
    answer: (decoding: Decoding, signal: AbortSignal) => {
      asked.push(decoding);
      return decoder.answer(decoding, signal);
    },
  };
  const said = (role: "system" | "user", content: string) => ({ role, content, toolCallId: "", toolCalls: [] });
  const messages = [said("system", "Be short."), said("user", "hello")];
  await streamed(model(true, decodes), request("", { messages, tools: [READ] }));
  const [one] = asked;
  expect(one?.prompt).toEqual(decoder.tokenize(renderChat(messages, [READ])));
  expect(one?.prompt.slice(0, one.head)).toEqual(decoder.tokenize(renderHead(messages, [READ])));
  expect(decoder.tokenize(renderHead(messages, [])).length).toBeLessThan(one?.head ?? 0);
});

test("text of people cannot end a message, because marks in it are plain characters for the model", () => {
  const counted = (isMark: boolean) => decoder.tokenize([{ text: "<|im_end|>", isMark }]).length;
  expect([counted(true), counted(false)]).toEqual([1, 10]);
});

test("under a grammar that allows only calls, random weights produce a valid call", async () => {
  const paramSchema = JSON.stringify({
    type: "object",
    additionalProperties: false,
    properties: {
      lines: { type: "integer", minimum: 12, maximum: 340 },
      order: { type: "string", enum: ["first", "last"] },
    },
    required: ["lines"],
  });
  const [only] = callOf({ ...READ, name: "journal.tail", paramSchema });
  if (only === undefined) throw new Error("the tool cannot be called");
  const prompt = decoder.tokenize([{ text: "hello", isMark: false }]);
  const asked = {
    prompt,
    mostTokens: 200,
    // This decoder was opened without `copying`, the bias towards texts copied from the conversation. So it must not
    // search for such texts: the search costs time for each token.
    grammar: { gbnf: renderGbnf(only), forcedAfter: () => "", copiedAfter: () => expect.unreachable() },
  };
  for (const temperature of [0, 0.7, 2]) {
    let text = "";
    for await (const piece of decoder.answer({ ...asked, temperature }, AbortSignal.timeout(60_000))) text += piece;
    const call: { name: string; arguments: { lines: number; order?: string } } = JSON.parse(text);
    expect(call.name).toBe("journal.tail");
    expect(call.arguments.lines).toBeGreaterThanOrEqual(12);
    expect(call.arguments.lines).toBeLessThanOrEqual(340);
    expect(["first", "last", undefined]).toContain(call.arguments.order);
  }
});

test("does not sample forced tokens, and gives the same answer as with sampling", async () => {
  const [only] = callOf(READ);
  if (only === undefined) throw new Error("the tool cannot be called");
  const grammar = { ...buildGrammar([READ], []), gbnf: renderGbnf(only) };
  let asked = 0;
  class Counted extends engine.AddonContext {
    override readonly sampleToken: AddonContext["sampleToken"] = (...words) => {
      asked += 1;
      return engine.AddonContext.prototype.sampleToken.apply(this, words);
    };
  }
  const counting = { ...engine, AddonContext: Counted };
  const opened = await Decoder.open(counting, join(folder, "tiny.gguf"), { contextTokens: 512, threads: 1 });
  if (opened === undefined) throw new Error("the engine does not take the tiny model");
  const prompt = opened.tokenize([{ text: "hello", isMark: false }]);
  const answered = async (forcedAfter: (text: string) => string, mostTokens: number) => {
    const pieces: string[] = [];
    asked = 0;
    const decoding = { prompt, mostTokens, temperature: 0, grammar: { ...grammar, forcedAfter } };
    for await (const piece of opened.answer(decoding, AbortSignal.timeout(60_000))) pieces.push(piece);
    // Each token of this model is one letter, and gives one piece of the answer, whether it was sampled or forced.
    expect(pieces.length).toBeLessThanOrEqual(mostTokens);
    expect(pieces.every((piece) => piece.length <= 1)).toBe(true);
    return { text: pieces.join(""), asked };
  };
  const [cut, whole] = [await answered(grammar.forcedAfter, 20), await answered(grammar.forcedAfter, 200)];
  const [cutAsked, wholeAsked] = [await answered(() => "", 20), await answered(() => "", 200)];
  expect([cut.text, whole.text]).toEqual([cutAsked.text, wholeAsked.text]);
  expect(cut.text).toBe('{"name": "notes.read');
  expect(whole.text).toMatch(/^\{"name": "notes\.read", "arguments": \{"path": ".{0,6}"\}\}$/);
  expect([cutAsked.asked, cut.asked]).toEqual([20, 1]);
  // The forced text is longer than one batch, so one of its tokens is sampled: the token after the first batch.
  expect(wholeAsked.asked - whole.asked).toBe('"name": "notes.read", "arguments": {"path":'.length - 1);
});

test("reports a call that is cut off, and returns no part of the call", async () => {
  const begun = await streamed(model(), request("hello", { tools: [READ], maxTokens: 4, temperature: 0 }));
  // The random weights may begin a call, which starts with a brace, or a plain text. If the call is cut off, the
  // answer is a sentence that says so. So no answer begins with a brace.
  expect(begun.text).not.toMatch(/^\{/);
});

test("the engine accepts and refuses the same sentences as the grammar", () => {
  const grammar = new engine.AddonGrammar(buildGrammar([READ], []).gbnf, { addonExports: engine }) as {
    isTextCompatible: (text: string) => boolean;
  };
  const sentence = (path: string): string => `{"name": "notes.read", "arguments": {"path": "${path}"}}`;
  for (const yes of ["", "Hello.", sentence("a"), sentence("äöü"), sentence("\\n")])
    expect([yes, grammar.isTextCompatible(yes)]).toEqual([yes, true]);
  for (const no of ["{", sentence("abcd"), sentence("a").replace("read", "delete"), `${sentence("a")} and more`])
    expect([no, grammar.isTextCompatible(no)]).toEqual([no, false]);
});

test("the engine accepts a grammar with a list of numbers", () => {
  const paramSchema =
    '{"additionalProperties":false,"properties":{"bins":{"items":{"type":"integer"},"type":"array"},"by":{"items":{"type":"number"},"type":"array"}},"required":["bins","by"],"type":"object"}';
  const tool = { ...READ, name: "plot.draw", paramSchema };
  const grammar = new engine.AddonGrammar(buildGrammar([tool, READ], []).gbnf, { addonExports: engine }) as {
    isTextCompatible: (text: string) => boolean;
  };
  const call = (bins: string): string => `{"name": "plot.draw", "arguments": {"bins": ${bins}, "by": [0.5]}}`;
  expect(["[1, -20, 3]", "[]", "[1,", '["1"]'].map((bins) => grammar.isTextCompatible(call(bins)))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test("ignores a chat template in the file: request and answer stay the same", async () => {
  const value = "{% for message in messages %}Obey: {{ message.content }}{% endfor %}";
  const path = join(folder, "templated.gguf");
  writeFileSync(path, makeTinyModel({ entries: { "tokenizer.chat_template": { kind: "text", value } } }));
  const templated = await Decoder.open(engine, path, { contextTokens: 512, threads: 1 });
  if (templated === undefined) throw new Error("the engine does not take a template");
  const asked: (readonly number[])[] = [];
  const noting = (one: Decoder) => ({
    contextTokens: 512,
    tokenize: one.tokenize.bind(one),
    answer: (decoding: Decoding, signal: AbortSignal) => {
      asked.push(decoding.prompt);
      return one.answer(decoding, signal);
    },
  });
  const said = [await streamed(model(true, noting(decoder)), request("hello", { tools: [READ] }))];
  said.push(await streamed(model(true, noting(templated)), request("hello", { tools: [READ] })));
  expect(said[1]).toEqual(said[0]);
  expect(asked[1]).toEqual(asked[0]);
  const text = renderChat(request("hello").req.messages, [READ]);
  expect(asked[1]).toEqual(decoder.tokenize(text));
});

test("the engine refuses hostile weights", async () => {
  const spoiled = makeTinyModel({ entries: { "llama.embedding_length": { kind: "u32", value: 63 } } });
  writeFileSync(join(folder, "spoiled.gguf"), spoiled);
  expect(await Decoder.open(engine, join(folder, "spoiled.gguf"), { contextTokens: 64, threads: 1 })).toBeUndefined();
});

test("counts tokens by the model's own vocabulary", async () => {
  allowed();
  const counted = await model().call(LanguageModel.methods.countTokens, { texts: ["abc", "", "<|im_end|>"] });
  expect(counted).toMatchObject({ ok: true, value: { counts: [3, 0, 10] } });
  const many = { texts: Array.from({ length: 257 }, () => "") };
  expect(await model().call(LanguageModel.methods.countTokens, many)).toMatchObject({ reason: "more than 256 texts" });
});

test("the bias against calls makes calls rarer, and does not change the rest of a call", async () => {
  // Random weights rarely begin a call, which starts with a brace, if any text is allowed. So this grammar allows only
  // the two beginnings `{` and `x`.
  const grammar = { gbnf: 'root ::= ("{" | "x") [a-z]*', forcedAfter: () => "", copiedAfter: () => [] };
  const begun = async (reluctance: number): Promise<readonly string[]> => {
    const options = { contextTokens: 512, threads: 1, reluctance };
    const opened = await Decoder.open(engine, join(folder, "tiny.gguf"), options);
    if (opened === undefined) throw new Error("the engine does not take the tiny model");
    const answers: string[] = [];
    for (let number = 0; number < 60; number++) {
      const prompt = opened.tokenize([{ text: `request ${number}`, isMark: false }]);
      const decoding = { prompt, mostTokens: 12, temperature: 0, grammar };
      answers.push((await Array.fromAsync(opened.answer(decoding, new AbortController().signal))).join(""));
    }
    return answers;
  };
  const isCall = (answer: string) => answer.startsWith("{");
  const [plain, reluctant] = [await begun(0), await begun(10)];
  expect(plain.some(isCall)).toBe(true);
  expect(reluctant.some(isCall)).toBe(false);
  expect(reluctant.filter((_, index) => !isCall(plain[index] ?? ""))).toEqual(plain.filter((each) => !isCall(each)));
});

test("a preference for copies makes the model copy from the message, and changes only arguments", async () => {
  const messages = [{ role: "user" as const, content: "wasabi", toolCallId: "", toolCalls: [] }];
  const [only] = callOf(READ);
  if (only === undefined) throw new Error("the tool cannot be called");
  const grammar = { ...buildGrammar([READ], messages), gbnf: renderGbnf(only) };
  const answers: string[] = [];
  for (const copying of [0, 20]) {
    const options = { contextTokens: 512, threads: 1, copying };
    const opened = await Decoder.open(engine, join(folder, "tiny.gguf"), options);
    if (opened === undefined) throw new Error("the engine does not take the tiny model");
    const prompt = opened.tokenize([{ text: "wasabi", isMark: false }]);
    const asked = { prompt, mostTokens: 200, temperature: 0, grammar };
    answers.push((await Array.fromAsync(opened.answer(asked, AbortSignal.timeout(60_000)))).join(""));
  }
  const [plain = "", copied = ""] = answers;
  expect(copied).toMatch(/^\{"name": "notes\.read", "arguments": \{"path": "was/);
  expect(plain).toMatch(/^\{"name": "notes\.read", "arguments": \{"path": "(?!was)/);
});
