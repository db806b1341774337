import { duplexPair } from "node:stream";
import { expect, test } from "vitest";
import { LanguageModel, TokenStream } from "../../lib/wire/generated/capos.ts";
import { connect, Failure, makeFailure } from "../../lib/wire/index.ts";
import { type Answerer, isNoted, OpenAnswer, releaseUnasked, serveAnswers, turnFor } from "./answering.ts";
import { Permits } from "./permits.ts";
import type { Pieces } from "./pieces.ts";
import { Turns } from "./turns.ts";

const CHUNK = { textDelta: "a", toolCallDelta: { index: 0, id: "", name: "", argumentsDelta: "" } };
const [FIRST, SECOND, THIRD] = [Buffer.from("first"), Buffer.from("second"), Buffer.from("third")];

const INFO = {
  id: "",
  displayName: "",
  arch: "",
  contextTokens: 9,
  outputTokens: 9,
  backend: "",
  quantisation: "",
  supportsTools: false,
};

async function* endless(): Pieces {
  for (;;) yield CHUNK;
}

const LABEL = { confidentiality: 0, integrity: 0, compartments: 0n };

function request(nonce: Uint8Array) {
  const said = { role: "user" as const, content: "go on", toolCallId: "", toolCalls: [] };
  const bounds = { maxTokens: 9, temperature: 0, stopSequences: [], responseSchema: "" };
  return { req: { messages: [said], tools: [], ...bounds, nonce } };
}

test("a backend gets only text with its permit's redactions applied, and none if they cannot be applied", async () => {
  const cards = { name: "cards", label: LABEL, patterns: ["go on"], results: [], arguments: [] };
  const [permits, heard] = [new Permits(), [] as string[]];
  const begin: Answerer["begin"] = async (_, { messages }) => {
    heard.push(...messages.map(({ content }) => content));
    return makeFailure("failed", "no answer");
  };
  const [here, there] = duplexPair();
  serveAnswers(there, { count: (text) => text.length, begin, info: INFO, mostTools: 1 }, permits);
  const model = connect(here);
  permits.allow(FIRST, 9, [cards]);
  const counted = await model.call(LanguageModel.methods.countTokens, { texts: ["we go on"] });
  expect(counted).toEqual({ ok: true, value: { counts: ["we [redacted]".length] } });
  await model.call(LanguageModel.methods.complete, request(FIRST));
  permits.allow(SECOND, 9, [{ ...cards, patterns: ["?"] }]);
  expect(await model.call(LanguageModel.methods.complete, request(SECOND))).toMatchObject({ ok: false });
  expect(heard).toEqual(["[redacted]"]);
});

test("if a loop disconnects during its answer, its permit ends and the next loop gets the turn", async () => {
  const [permits, turns] = [new Permits(), new Turns(() => () => {})];
  const answerer: Pick<Answerer, "count" | "begin"> = {
    count: undefined,
    begin: async (permit, _, signal) => {
      const turn = await turns.acquire(signal);
      return turn === undefined ? makeFailure("cancelled", "no turn") : new OpenAnswer(turn, permit, endless);
    },
  };
  const loop = () => {
    const [here, there] = duplexPair();
    serveAnswers(there, { ...answerer, info: INFO, mostTools: 1 }, permits);
    return { here, model: connect(here) };
  };
  permits.allow(FIRST, 9);
  permits.allow(SECOND, 9);
  const [gone, next] = [loop(), loop()];
  expect(await gone.model.call(LanguageModel.methods.stream, request(FIRST))).toMatchObject({ ok: true });
  expect(await gone.model.call(TokenStream.methods.next, {})).toMatchObject({ ok: true, value: { done: false } });
  const waiting = next.model.call(LanguageModel.methods.stream, request(SECOND));
  gone.here.destroy();
  expect(await permits.awaitUsage(FIRST)).toMatchObject({ outputTokens: 0 });
  expect(await waiting).toMatchObject({ ok: true });
});

/**
 * `loop` connects one more loop with the same model. `ring` lets the idle time pass after which the holder of the model
 * loses its turn.
 */
function shared(pieces: (stop: AbortSignal) => Pieces) {
  let ring = (): void => {};
  const turns = new Turns((_, call) => {
    ring = call;
    return () => {
      ring = () => {};
    };
  });
  const most = { promptTokens: 0, outputTokens: 9 };
  const loop = (permits: Permits) => {
    const begin: Answerer["begin"] = async (permit, _, signal) => {
      const turn = await turnFor(turns, permit, signal);
      if (turn instanceof Failure) return turn;
      return (await isNoted(turn, permit, most)) ? new OpenAnswer(turn, permit, pieces) : releaseUnasked(turn, permit);
    };
    const [here, there] = duplexPair();
    serveAnswers(there, { count: undefined, begin, info: INFO, mostTools: 1 }, permits);
    return connect(here);
  };
  return { loop, ring: () => ring() };
}

const CITY = JSON.stringify({
  type: "object",
  additionalProperties: false,
  properties: { city: { type: "string" } },
  required: ["city"],
});
const MISFIT = "the model's answer does not fit the schema that was asked for: ";

/**
 * Requests an answer that must fit a schema, first as a whole and then in pieces. Returns both, and the roles in the
 * report for the audit.
 */
async function askShaped(pieces: () => Pieces) {
  const { loop } = shared(pieces);
  const permits = new Permits();
  permits.allow(FIRST, 99);
  permits.allow(SECOND, 99);
  const model = loop(permits);
  const shapedRequest = (nonce: Uint8Array) => ({ req: { ...request(nonce).req, responseSchema: CITY } });
  const whole = await model.call(LanguageModel.methods.complete, shapedRequest(FIRST));
  await model.call(LanguageModel.methods.stream, shapedRequest(SECOND));
  let [text, calls] = ["", ""];
  for (;;) {
    const next = await model.call(TokenStream.methods.next, {});
    const said = permits.getRecords(SECOND).map(({ role }) => role);
    if (!next.ok || next.value.done) return { whole, text, calls, end: next, said };
    text += next.value.chunk.textDelta;
    calls += next.value.chunk.toolCallDelta.name + next.value.chunk.toolCallDelta.argumentsDelta;
  }
}

const chunk = (textDelta: string) => ({ ...CHUNK, textDelta });

test("sends an answer only when it is complete and fits the schema of its request", async () => {
  const city = '{"city":"Bonn"}';
  const heard = await askShaped(async function* () {
    for (const piece of city) yield chunk(piece);
    return { text: city, calls: [] };
  });
  expect(heard.whole).toMatchObject({ value: { resp: { message: { content: city }, finishReason: "stop" } } });
  expect(heard).toMatchObject({ text: city, end: { ok: true, value: { done: true } }, said: ["user", "assistant"] });
});

test.each([
  ["Bonn, of course.", false, "the answer is not JSON"],
  ['{"city":4}', false, "the answer.city is not a text"],
  ['{"city":"Bonn"}', true, "the answer was cut off"],
])(
  "sends no part of an answer that does not fit its schema, and reports it as malformed: %s",
  async (text, isCut, misfit) => {
    const heard = await askShaped(async function* () {
      yield chunk(text);
      return { text, calls: [], isCut };
    });
    const failure = { ok: false, code: "malformed", reason: MISFIT + misfit };
    expect(heard).toMatchObject({ whole: failure, text: "", end: failure, said: ["user"] });
  },
);

test("sends a call despite a schema, but not the text beside the call", async () => {
  const calls = [{ id: "1", name: "a.b", arguments: "{}" }];
  const heard = await askShaped(async function* () {
    yield chunk("Let me see.");
    yield { textDelta: "", toolCallDelta: { index: 0, id: "1", name: "a.b", argumentsDelta: "{}" } };
    return { text: "Let me see.", calls };
  });
  expect(heard.whole).toMatchObject({
    value: { resp: { message: { content: "", toolCalls: calls }, finishReason: "toolCalls" } },
  });
  expect(heard).toMatchObject({ text: "", calls: "a.b{}", end: { ok: true } });
});

test("reports a fault of the model itself unchanged, and sends no part of the answer", async () => {
  const heard = await askShaped(async function* () {
    yield chunk('{"city":');
    return { text: '{"city":', calls: [], fault: "it broke" };
  });
  expect(heard).toMatchObject({ whole: { code: "failed", reason: "it broke" }, text: "", end: { code: "failed" } });
});

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("if an answer loses its turn to a waiting request, its computation ends before the next one begins", async () => {
  const stopped = Promise.withResolvers<void>();
  let [computing, most] = [0, 0];
  async function* computed(): Pieces {
    computing += 1;
    most = Math.max(most, computing);
    try {
      yield* endless();
    } finally {
      await stopped.promise;
      computing -= 1;
    }
    return { text: "", calls: [] };
  }
  const { loop, ring } = shared(computed);
  const permits = new Permits();
  permits.allow(FIRST, 9);
  permits.allow(SECOND, 9);
  const [first, second] = [loop(permits), loop(permits)];
  await first.call(LanguageModel.methods.stream, request(FIRST));
  await first.call(TokenStream.methods.next, {});
  const next = second
    .call(LanguageModel.methods.stream, request(SECOND))
    .then(() => second.call(TokenStream.methods.next, {}));
  await settled();
  ring();
  await settled();
  stopped.resolve();
  expect(await next).toMatchObject({ ok: true, value: { done: false } });
  expect(most).toBe(1);
});

test("a request that waits for the engine keeps its turn, however slow the engine is", async () => {
  const steps: (() => void)[] = [];
  const step = async (): Promise<void> => {
    await settled();
    steps.shift()?.();
  };
  async function* slow(): Pieces {
    for (let said = 0; said < 2; said += 1) {
      await new Promise<void>((resolve) => steps.push(resolve));
      yield CHUNK;
    }
    return { text: "aa", calls: [] };
  }
  const { loop, ring } = shared(slow);
  const permits = new Permits();
  for (const nonce of [FIRST, SECOND, THIRD]) permits.allow(nonce, 9);
  const [streaming, whole] = [loop(permits), loop(permits)];
  await streaming.call(LanguageModel.methods.stream, request(FIRST));
  const first = streaming.call(TokenStream.methods.next, {});
  const answer = whole.call(LanguageModel.methods.complete, request(SECOND));
  await settled();
  ring();
  await step();
  expect(await first).toMatchObject({ ok: true, value: { chunk: CHUNK } });
  const second = streaming.call(TokenStream.methods.next, {});
  await step();
  expect(await second).toMatchObject({ ok: true });
  expect(await streaming.call(TokenStream.methods.next, {})).toMatchObject({ ok: true, value: { done: true } });
  await settled();
  const third = loop(permits).call(LanguageModel.methods.stream, request(THIRD));
  for (let rings = 0; rings < 3; rings += 1) {
    await settled();
    ring();
    await step();
  }
  expect(await answer).toMatchObject({ ok: true, value: { resp: { message: { content: "aa" } } } });
  expect(await third).toMatchObject({ ok: true });
});

test("a request loses its turn to a waiting request if its gate does not note the maximum usage in time", async () => {
  const { loop, ring } = shared(endless);
  const [far, near] = [new Permits(), new Permits()];
  far.allowFromAfar(FIRST, 9);
  near.allow(SECOND, 9);
  const unnoted = loop(far).call(LanguageModel.methods.stream, request(FIRST));
  await settled();
  const next = loop(near).call(LanguageModel.methods.stream, request(SECOND));
  await settled();
  ring();
  expect(await unnoted).toMatchObject({
    ok: false,
    reason: "others waited for the model, and this answer was not asked for",
  });
  expect(await next).toMatchObject({ ok: true });
  expect(await far.awaitUsage(FIRST)).toMatchObject({ outputTokens: 0 });
});

test("an answer that lost its turn before its first token ends immediately, and ends its permit", async () => {
  const permits = new Permits();
  permits.allow(FIRST, 9);
  const permit = permits.begin(FIRST);
  if (permit === undefined) throw new Error("the permit is gone");
  let isDone = false;
  const done = () => {
    isDone = true;
  };
  const answer = new OpenAnswer(
    { release: done, beginRequest: () => {}, endRequest: () => {}, lost: AbortSignal.abort() },
    permit,
    endless,
  );
  await settled();
  expect([isDone, permit.signal.aborted, answer.usage.outputTokens]).toEqual([true, true, 0]);
});

test("an answer that loses its turn while the engine computes is reported as lost, never as complete", async () => {
  // The engine may learn of the stop before or after its current token is ready. So either this piece still arrives, or
  // no further piece arrives.
  const pieces = (comesStill: boolean) =>
    async function* (stop: AbortSignal): Pieces {
      yield CHUNK;
      await new Promise((resolve) => stop.addEventListener("abort", resolve, { once: true }));
      if (comesStill) yield CHUNK;
      return { text: "a", calls: [] };
    };
  const said = { ok: false, code: "failed", reason: "others waited for the model, and this answer was not asked for" };
  for (const comesStill of [true, false]) {
    const lost = [new AbortController(), new AbortController()] as const;
    const world = (turn: AbortController, nonce: Uint8Array) => {
      const permits = new Permits();
      permits.allow(nonce, 9);
      const held = { release: () => {}, beginRequest: () => {}, endRequest: () => {}, lost: turn.signal };
      const begin: Answerer["begin"] = async (permit) => new OpenAnswer(held, permit, pieces(comesStill));
      const [here, there] = duplexPair();
      serveAnswers(there, { count: undefined, begin, info: INFO, mostTools: 1 }, permits);
      return connect(here);
    };
    const [streaming, whole] = [world(lost[0], FIRST), world(lost[1], SECOND)];
    await streaming.call(LanguageModel.methods.stream, request(FIRST));
    await streaming.call(TokenStream.methods.next, {});
    const next = streaming.call(TokenStream.methods.next, {});
    const answer = whole.call(LanguageModel.methods.complete, request(SECOND));
    await settled();
    for (const turn of lost) turn.abort();
    expect([await next, await answer]).toMatchObject([said, said]);
    expect(await streaming.call(TokenStream.methods.next, {})).toMatchObject(said);
  }
});

test("a model that fails during an answer returns its turn and permit", async () => {
  async function* failing(): Pieces {
    yield CHUNK;
    throw new Error("the engine does not compute");
  }
  const { loop } = shared(failing);
  const permits = new Permits();
  for (const nonce of [FIRST, SECOND]) permits.allow(nonce, 9);
  const model = loop(permits);
  const failed = { ok: false, code: "failed", reason: "the model failed at this request" };
  await model.call(LanguageModel.methods.stream, request(FIRST));
  expect(await model.call(TokenStream.methods.next, {})).toMatchObject({ ok: true });
  expect(await model.call(TokenStream.methods.next, {})).toMatchObject(failed);
  expect(await loop(permits).call(LanguageModel.methods.complete, request(SECOND))).toMatchObject(failed);
  for (const nonce of [FIRST, SECOND]) expect(await permits.awaitUsage(nonce)).toMatchObject({ outputTokens: 0 });
});

test("removes tools that a model does not support, limits the temperature, and refuses unsupported requests", async () => {
  const permits = new Permits();
  const heard: unknown[] = [];
  let asked = 0;
  const begin: Answerer["begin"] = async (_, { tools, temperature }) => {
    heard.push([tools.length, temperature]);
    return makeFailure("failed", "it was only looked at");
  };
  const ask = async (changes: object, supportsTools = true) => {
    const [here, there] = duplexPair();
    serveAnswers(there, { info: { ...INFO, supportsTools }, count: undefined, mostTools: 1, begin }, permits);
    asked += 1;
    const nonce = Buffer.from([asked]);
    permits.allow(nonce, 9);
    const { req } = request(nonce);
    const reply = await connect(here).call(LanguageModel.methods.complete, { req: { ...req, ...changes } });
    expect(await permits.awaitUsage(nonce)).toMatchObject({ outputTokens: 0 });
    return reply.ok ? "" : reply.reason;
  };
  const described = { name: "a.b", description: "", methodName: "b", paramSchema: "{}", category: "", interfaceId: 0n };
  const tool = { ...described, permission: "auto" as const };
  expect(await ask({ tools: [tool, tool] })).toBe("more than 1 tools are offered");
  expect(await ask({ responseSchema: "{}" })).toBe('responseSchema is not supported: its "type" is not "object"');
  expect(await ask({ responseSchema: CITY, stopSequences: ["x"] })).toBe(
    "stop sequences would cut an answer that has a schema",
  );
  expect(heard).toEqual([]);
  expect(await ask({ tools: [tool], temperature: 9 })).toBe("it was only looked at");
  await ask({ tools: [tool], temperature: -1 }, false);
  expect(heard).toEqual([
    [1, 2],
    [0, 0],
  ]);
});

test("counts tokens for a loop only while a permit of the gate of the same session is valid", async () => {
  const permits = new Permits();
  const heard: string[] = [];
  const held = (count: Answerer["count"], of = permits) => {
    const [here, there] = duplexPair();
    const begin = async () => makeFailure("failed", "not asked for here");
    serveAnswers(there, { info: INFO, mostTools: 1, count, begin }, of);
    return connect(here);
  };
  const count = (text: string) => heard.push(text) && text.length;
  const [model, others] = [held(count), held(count, new Permits())];
  const ask = (of = model, texts: readonly string[] = ["4711"]) =>
    of.call(LanguageModel.methods.countTokens, { texts });
  const refused = { ok: false, code: "cancelled", reason: "the gate allows no answer now" };
  expect(await ask()).toMatchObject(refused);
  permits.allow(FIRST, 9);
  expect(await ask(others)).toMatchObject(refused);
  expect(heard).toEqual([]);
  expect(await ask()).toMatchObject({ ok: true, value: { counts: [4] } });
  permits.begin(FIRST);
  expect(await ask()).toMatchObject({ ok: true });
  permits.withdraw(FIRST);
  expect(await ask()).toMatchObject(refused);
  permits.allow(SECOND, 9);
  permits.begin(SECOND)?.end();
  expect(await ask()).toMatchObject(refused);
  expect(heard).toEqual(["4711", "4711"]);
  // A model without a tokenizer reports that immediately, so the caller need not ask again.
  expect(await ask(held(undefined))).toMatchObject({ code: "failed", reason: "this model has no tokenizer at hand" });
});
