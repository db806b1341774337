import { duplexPair } from "node:stream";
import { expect, test } from "vitest";
import { type ChatMessage, LanguageModel, TokenStream } from "../../lib/wire/generated/capos.ts";
import { type Connection, connect } from "../../lib/wire/index.ts";
import { recordOf } from "./message-recorder.ts";
import { Permits } from "./permits.ts";
import { createStubInfo, serveModel } from "./serve.ts";

const REPLIES = [
  { when: { which: "user", line: "hello" }, say: "Hello, this is a text.", call: [], pausesUntilCancelled: false },
  {
    when: { which: "user", line: "call" },
    say: "",
    call: [{ name: "a.x", arguments: "{}" }],
    pausesUntilCancelled: false,
  },
  { when: { which: "user", line: "object" }, say: '{"city": "Bonn"}', call: [], pausesUntilCancelled: false },
  { when: { which: "user", line: "wait" }, say: "Well", call: [], pausesUntilCancelled: true },
] as const;

/**
 * Returns a client of a stub model with permits for three answers of at most `mostTokens` tokens each. The nonces of
 * the permits are 1, 2 and 3.
 */
function model(permits = new Permits(), mostTokens = 1000): Connection {
  for (let nonce = 1; nonce <= 3; nonce += 1) permits.allow(Uint8Array.of(nonce), mostTokens);
  const [mine, theirs] = duplexPair();
  serveModel(theirs, { replies: REPLIES, info: createStubInfo("stub:sha256-00") }, permits);
  return connect(mine);
}

const LABEL = { confidentiality: 0, integrity: 0, compartments: 0n };

function request(content: string, nonce = 1) {
  const message: ChatMessage = { role: "user", content, toolCallId: "", toolCalls: [] };
  return {
    req: {
      messages: [message],
      tools: [],
      maxTokens: 10,
      temperature: 0,
      stopSequences: [],
      responseSchema: "",
      nonce: Uint8Array.of(nonce),
    },
  };
}

async function text(connection: Connection): Promise<string> {
  let heard = "";
  for (;;) {
    const next = await connection.call(TokenStream.methods.next, {});
    if (!next.ok) return `${heard}!${next.reason}`;
    if (next.value.done) return heard;
    heard += next.value.chunk.textDelta;
  }
}

test("masks text as the permit requires, in the answer and the record, and refuses a request that cannot be searched", async () => {
  const [mine, theirs] = duplexPair();
  const permits = new Permits();
  const cards = { name: "cards", label: LABEL, patterns: ["####-####"], results: [], arguments: [] };
  const line = "pay [redacted]";
  const heard = { when: { which: "user", line }, say: "I heard", call: [], pausesUntilCancelled: false } as const;
  permits.allow(Uint8Array.of(1), 999, [cards]);
  permits.allow(Uint8Array.of(2), 999, [{ ...cards, patterns: ["?"] }]);
  serveModel(theirs, { replies: [heard], info: createStubInfo("canned") }, permits);
  const connection = connect(mine);
  const reply = await connection.call(LanguageModel.methods.complete, request("pay 1234-5678"));
  expect(reply).toMatchObject({ ok: true, value: { resp: { message: { content: "I heard" } } } });
  await permits.awaitUsage(Uint8Array.of(1));
  expect(permits.getMasked(Uint8Array.of(1))).toEqual([{ redaction: "cards", places: 1 }]);
  const masked = { role: "user" as const, content: "pay [redacted]", toolCallId: "", toolCalls: [] };
  expect(permits.getRecords(Uint8Array.of(1))[0]).toEqual(recordOf(masked));
  expect(await connection.call(LanguageModel.methods.complete, request("pay", 2))).toMatchObject({
    ok: false,
    reason: expect.stringContaining("was not sent"),
  });
  expect(await permits.awaitUsage(Uint8Array.of(2))).toEqual({ promptTokens: 0, outputTokens: 0 });
  expect(permits.getRecords(Uint8Array.of(2))).toEqual([]);
});

test("a stream returns the text piece by piece, and then ends", async () => {
  const connection = model();
  await connection.call(LanguageModel.methods.stream, request("hello"));
  const first = await connection.call(TokenStream.methods.next, {});
  expect(first).toMatchObject({ value: { done: false, chunk: { textDelta: "Hello, this is a" } } });
  expect(await text(connection)).toBe(" text.");
  expect(await text(connection)).toBe("");
});

test("reading fails if no stream is open", async () => {
  expect(await text(model())).toBe("!no stream is open");
});

test("a new stream ends the previous one", async () => {
  const connection = model();
  await connection.call(LanguageModel.methods.stream, request("wait"));
  await connection.call(LanguageModel.methods.stream, request("hello", 2));
  expect(await text(connection)).toBe("Hello, this is a text.");
});

test("a paused reply ends when its stream is cancelled", async () => {
  const connection = model();
  await connection.call(LanguageModel.methods.stream, request("wait"));
  await connection.call(TokenStream.methods.next, {});
  const waiting = connection.call(TokenStream.methods.next, {});
  await connection.call(TokenStream.methods.cancel, {});
  expect(await waiting).toMatchObject({ ok: true, value: { done: true } });
});

test("complete returns the whole message, its usage and its finish reason", async () => {
  const said = await model().call(LanguageModel.methods.complete, request("call"));
  expect(said).toMatchObject({
    value: {
      resp: {
        message: { role: "assistant", toolCalls: [{ id: "call-1", name: "a.x", arguments: "{}" }] },
        finishReason: "toolCalls",
        usage: { promptTokens: 1, outputTokens: 2 },
      },
    },
  });
  expect(await model().call(LanguageModel.methods.complete, request("hello"))).toMatchObject({
    value: { resp: { message: { content: "Hello, this is a text." }, finishReason: "stop" } },
  });
});

const OBJECT = JSON.stringify({ type: "object" });

test("a reply that does not fit the schema fails with a failure type of its own, and an unsupported schema is refused", async () => {
  const permits = new Permits();
  const connection = model(permits);
  const { complete, stream } = LanguageModel.methods;
  const shaped = (content: string, nonce: number, responseSchema = OBJECT) => ({
    req: { ...request(content, nonce).req, responseSchema },
  });
  const misfit = {
    ok: false,
    code: "malformed",
    reason: "the model's answer does not fit the schema that was asked for: the answer is not JSON",
  };
  expect(await connection.call(complete, shaped("hello", 1))).toMatchObject(misfit);
  expect(await permits.awaitUsage(Uint8Array.of(1))).toEqual({ promptTokens: 2, outputTokens: 6 });
  expect(await connection.call(stream, shaped("hello", 2))).toMatchObject(misfit);
  expect(await text(connection)).toBe("!no stream is open");
  expect(await connection.call(complete, shaped("hello", 3, '{"type":"string"}'))).toMatchObject({
    code: "failed",
    reason: 'responseSchema is not supported: its "type" is not "object"',
  });
  expect(await permits.awaitUsage(Uint8Array.of(3))).toEqual({ promptTokens: 0, outputTokens: 0 });
  const fits = model();
  expect(await fits.call(complete, shaped("object", 1))).toMatchObject({
    value: { resp: { message: { content: '{"city": "Bonn"}' } } },
  });
  expect(await fits.call(complete, shaped("call", 2))).toMatchObject({
    value: { resp: { finishReason: "toolCalls" } },
  });
});

test("the model identifies itself as a stub", async () => {
  expect(await model().call(LanguageModel.methods.info, {})).toMatchObject({
    value: { info: { id: "stub:sha256-00", backend: "stub", supportsTools: true } },
  });
});

const REFUSED = { ok: false, reason: "the gate has not allowed this request" };

test("refuses a request without a permit, or with a used or withdrawn permit", async () => {
  const permits = new Permits();
  const connection = model(permits);
  const { stream, complete } = LanguageModel.methods;
  expect(await connection.call(stream, request("hello", 9))).toMatchObject(REFUSED);
  expect(await connection.call(complete, request("hello", 9))).toMatchObject(REFUSED);
  expect(await connection.call(complete, request("hello", 1))).toMatchObject({ ok: true });
  expect(await connection.call(stream, request("hello", 1))).toMatchObject(REFUSED);
  permits.withdraw(Uint8Array.of(2));
  expect(await connection.call(stream, request("hello", 2))).toMatchObject(REFUSED);
  expect(await text(connection)).toBe("!no stream is open");
});

test("an answer ends when its tokens are used up, and the tokens that were sent are counted", async () => {
  const permits = new Permits();
  const connection = model(permits, 7);
  expect(await connection.call(LanguageModel.methods.stream, request("hello"))).toMatchObject({ ok: true });
  // The prompt takes two tokens and the first piece four, so one is left; the second piece needs two.
  expect(await text(connection)).toBe("Hello, this is a!the page's tokens are used up: 7 were left for this answer");
  expect(await permits.awaitUsage(Uint8Array.of(1))).toEqual({ promptTokens: 2, outputTokens: 4 });
  expect(await connection.call(LanguageModel.methods.complete, request("hello", 2))).toMatchObject({ ok: false });
  const long = await connection.call(LanguageModel.methods.stream, request("x".repeat(99), 3));
  expect(long).toMatchObject({ reason: "the prompt has 25 tokens, and 7 are left of what the page allows" });
  expect(await permits.awaitUsage(Uint8Array.of(3))).toEqual({ promptTokens: 0, outputTokens: 0 });
});

test("after its gate withdraws an answer, nothing more is sent, even during a pause", async () => {
  const permits = new Permits();
  const connection = model(permits);
  await connection.call(LanguageModel.methods.stream, request("wait"));
  await connection.call(TokenStream.methods.next, {});
  const waiting = connection.call(TokenStream.methods.next, {});
  permits.withdraw(Uint8Array.of(1));
  const ended = { ok: false, code: "cancelled", reason: "the gate ended this answer" };
  expect(await waiting).toMatchObject(ended);
  expect(await connection.call(TokenStream.methods.next, {})).toMatchObject(ended);
});

test("an answer ends if its loop disconnects", async () => {
  const permits = new Permits();
  const connection = model(permits);
  await connection.call(LanguageModel.methods.stream, request("hello"));
  connection.close();
  expect(await permits.awaitUsage(Uint8Array.of(1))).toEqual({ promptTokens: 2, outputTokens: 0 });
});
