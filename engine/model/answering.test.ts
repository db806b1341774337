import { duplexPair } from "node:stream";
import { expect, test } from "vitest";
import { LanguageModel, TokenStream } from "../wire/generated/capos.ts";
import { connect, failure } from "../wire/index.ts";
import { type Answerer, OpenAnswer, type Pieces, serveAnswers } from "./answering.ts";
import { Permits } from "./permits.ts";
import { Turns } from "./turns.ts";

const CHUNK = { textDelta: "a", toolCallDelta: { index: 0, id: "", name: "", argumentsDelta: "" } };
const [FIRST, SECOND] = [Buffer.from("first"), Buffer.from("second")];

async function* endless(): Pieces {
  for (;;) yield CHUNK;
}

function request(nonce: Uint8Array) {
  const said = { role: "user" as const, content: "go on", toolCallId: "", toolCalls: [] };
  const bounds = { maxTokens: 9, temperature: 0, stopSequences: [], responseSchema: "" };
  return { req: { messages: [said], tools: [], ...bounds, nonce } };
}

test("a loop that goes away in the middle of its answer ends it: its permit is over, and the next has the turn", async () => {
  const [permits, turns] = [new Permits(), new Turns(() => () => {})];
  const answerer: Pick<Answerer, "count" | "begin"> = {
    count: undefined,
    begin: async (permit, _, signal) => {
      const turn = await turns.next(signal);
      return turn === undefined ? failure("cancelled", "no turn") : new OpenAnswer(turn, permit, endless);
    },
  };
  const info = { id: "", displayName: "", arch: "", contextTokens: 9, outputTokens: 9, backend: "", quantisation: "" };
  const loop = () => {
    const [here, there] = duplexPair();
    serveAnswers(there, { ...answerer, info: { ...info, supportsTools: false } }, permits);
    return { here, model: connect(here) };
  };
  permits.allow(FIRST, 9);
  permits.allow(SECOND, 9);
  const [gone, next] = [loop(), loop()];
  expect(await gone.model.call(LanguageModel.methods.stream, request(FIRST))).toMatchObject({ ok: true });
  expect(await gone.model.call(TokenStream.methods.next, {})).toMatchObject({ ok: true, value: { done: false } });
  const waiting = next.model.call(LanguageModel.methods.stream, request(SECOND));
  gone.here.destroy();
  expect(await permits.ended(FIRST)).toMatchObject({ outputTokens: 0 });
  expect(await waiting).toMatchObject({ ok: true });
});
