// The worker's side of a connection with an engine that is no engine: when answers end, whatever the engine does.

import { randomBytes } from "node:crypto";
import { duplexPair } from "node:stream";
import { expect, test } from "vitest";
import { type InferenceRequest, LanguageModel, type ModelInfo } from "../../wire/generated/capos.ts";
import { connect } from "../../wire/index.ts";
import { Permits } from "../permits.ts";
import { type LocalModel, serveLocal } from "./serve.ts";
import { Turns } from "./turns.ts";

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

test("a whole answer that nobody waits for gives its turn and its permit back", async () => {
  const begun = Promise.withResolvers<void>();
  const decoder: LocalModel["decoder"] = {
    contextTokens: 100,
    tokensOf: () => [1],
    // One more token comes after the word to stop, as from an engine that was computing it.
    answer: async function* (_, stop) {
      begun.resolve();
      await new Promise((resolve) => stop.addEventListener("abort", resolve, { once: true }));
      yield "late";
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
  expect(await permits.ended(nonce)).toEqual({ promptTokens: 1, outputTokens: 1 });
  expect(await turns.next(new AbortController().signal)).toBeDefined();
});
