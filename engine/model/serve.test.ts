import { duplexPair } from "node:stream";
import { expect, test } from "vitest";
import { type ChatMessage, LanguageModel, TokenStream } from "../wire/generated/capos.ts";
import { type Connection, connect } from "../wire/index.ts";
import { serveModel, stubInfo } from "./serve.ts";

const REPLIES = [
  { when: { which: "user", line: "hello" }, say: "Hello, this is a text.", call: [], pausesUntilCancelled: false },
  {
    when: { which: "user", line: "call" },
    say: "",
    call: [{ name: "a.x", arguments: "{}" }],
    pausesUntilCancelled: false,
  },
  { when: { which: "user", line: "wait" }, say: "Well", call: [], pausesUntilCancelled: true },
] as const;

function model(): Connection {
  const [mine, theirs] = duplexPair();
  serveModel(theirs, { replies: REPLIES, info: stubInfo("stub:sha256-00") });
  return connect(mine);
}

function request(content: string) {
  const message: ChatMessage = { role: "user", content, toolCallId: "", toolCalls: [] };
  return {
    req: {
      messages: [message],
      tools: [],
      maxTokens: 10,
      temperature: 0,
      stopSequences: [],
      responseSchema: "",
      nonce: new Uint8Array(),
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

test("a stream gives the text piece by piece and then is done", async () => {
  const connection = model();
  await connection.call(LanguageModel.methods.stream, request("hello"));
  const first = await connection.call(TokenStream.methods.next, {});
  expect(first).toMatchObject({ value: { done: false, chunk: { textDelta: "Hello, this is a" } } });
  expect(await text(connection)).toBe(" text.");
  expect(await text(connection)).toBe("");
});

test("without a stream there is nothing to read", async () => {
  expect(await text(model())).toBe("!no stream is open");
});

test("another stream ends the one before", async () => {
  const connection = model();
  await connection.call(LanguageModel.methods.stream, request("wait"));
  await connection.call(LanguageModel.methods.stream, request("hello"));
  expect(await text(connection)).toBe("Hello, this is a text.");
});

test("a reply that pauses ends when its stream is cancelled", async () => {
  const connection = model();
  await connection.call(LanguageModel.methods.stream, request("wait"));
  await connection.call(TokenStream.methods.next, {});
  const waiting = connection.call(TokenStream.methods.next, {});
  await connection.call(TokenStream.methods.cancel, {});
  expect(await waiting).toMatchObject({ ok: true, value: { done: true } });
});

test("complete gives the whole message, its size and why it ended", async () => {
  const said = await model().call(LanguageModel.methods.complete, request("call"));
  expect(said).toMatchObject({
    value: {
      resp: {
        message: { role: "assistant", toolCalls: [{ id: "call-1", name: "a.x", arguments: "{}" }] },
        finishReason: "toolCalls",
        usage: { promptTokens: 1, outputTokens: 0 },
      },
    },
  });
  expect(await model().call(LanguageModel.methods.complete, request("hello"))).toMatchObject({
    value: { resp: { message: { content: "Hello, this is a text." }, finishReason: "stop" } },
  });
});

test("the model says that it is a stub", async () => {
  expect(await model().call(LanguageModel.methods.info, {})).toMatchObject({
    value: { info: { id: "stub:sha256-00", backend: "stub", supportsTools: true } },
  });
});
