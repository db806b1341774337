import { duplexPair } from "node:stream";
import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { LanguageModel, type StreamChunk, TokenStream, type ToolCallDelta } from "../../lib/wire/generated/capos.ts";
import { type Connection, connect, implement, makeFailure, serveInterface } from "../../lib/wire/index.ts";
import { infer } from "./inference.ts";

const unused = async () => makeFailure("failed", "not asked for here");
const NOTHING = { messages: [], tools: [], nonce: new Uint8Array(16) };
const never = new AbortController().signal;
const NO_CALL: ToolCallDelta = { index: 0, id: "", name: "", argumentsDelta: "" };
const said = (textDelta: string): StreamChunk => ({ textDelta, toolCallDelta: NO_CALL });
const calls = (changes: Partial<ToolCallDelta>): StreamChunk => ({
  textDelta: "",
  toolCallDelta: { ...NO_CALL, ...changes },
});

/** Returns a model that sends these chunks, then repeats `then` endlessly. */
function model(chunks: readonly StreamChunk[], then?: StreamChunk): Connection & { cancelled: () => number } {
  const [mine, theirs] = duplexPair();
  const left = [...chunks];
  let cancelled = 0;
  serveInterface(theirs, [
    implement(LanguageModel, {
      info: unused,
      complete: unused,
      stream: async () => ({ stream: null }),
      countTokens: unused,
    }),
    implement(TokenStream, {
      next: async () => {
        const chunk = left.shift() ?? then;
        return { chunk: chunk ?? said(""), done: chunk === undefined };
      },
      cancel: async () => {
        cancelled += 1;
        return {};
      },
    }),
  ]);
  return { ...connect(mine), cancelled: () => cancelled };
}

async function hear(connection: Connection, signal = never) {
  const shown: string[] = [];
  const heard = await infer(connection, NOTHING, { show: async (text) => void shown.push(text), signal });
  return { ...heard, shown };
}

test("shows text as it arrives, and joins the parts of calls by their index", async () => {
  const heard = await hear(
    model([
      said("Let "),
      said("me."),
      calls({ index: 0, id: "1", name: "a.x" }),
      calls({ index: 0, argumentsDelta: '{"a"' }),
      calls({ index: 1, id: "2", name: "b.y" }),
      calls({ index: 0, argumentsDelta: ":1}" }),
    ]),
  );
  expect(heard).toEqual({
    text: "Let me.",
    shown: ["Let ", "me."],
    calls: [
      { id: "1", name: "a.x", arguments: '{"a":1}' },
      { id: "2", name: "b.y", arguments: "" },
    ],
  });
});

const ENDLESS: Readonly<Record<string, [chunks: readonly StreamChunk[], then?: StreamChunk]>> = {
  "endless text": [[], said("x".repeat(10_000))],
  "endless arguments": [[], calls({ argumentsDelta: "x".repeat(10_000) })],
  "too many calls": [Array.from({ length: 9 }, (_, index) => calls({ index, id: String(index) }))],
  "an endless name": [[], calls({ name: "x".repeat(100) })],
  "an endless id": [[], calls({ id: "x".repeat(100) })],
  "empty chunks": [[], said("")],
  "ten thousand calls": [Array.from({ length: 10_000 }, (_, index) => calls({ index, id: String(index) }))],
  "a call out of order": [[calls({ index: 5, id: "5" })]],
};

for (const [what, [chunks, then]] of Object.entries(ENDLESS)) {
  test(`stops a model that sends ${what}`, async () => {
    const connection = model(chunks, then);
    const heard = await hear(connection);
    expect(heard.fault).toBe("it said more than is listened to");
    await connection.call(LanguageModel.methods.info, {});
    expect(connection.cancelled()).toBe(1);
  });
}

afterEach(() => {
  vi.useRealTimers();
});

test("a model that never continues is stopped after the timeout", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const [mine, theirs] = duplexPair();
  const asked = Promise.withResolvers<void>();
  let cancelled = 0;
  const next = async () => {
    asked.resolve();
    return new Promise<never>(() => {});
  };
  const cancel = async () => {
    cancelled += 1;
    return {};
  };
  const unasked = { info: unused, complete: unused, countTokens: unused };
  const stream = async () => ({ stream: null });
  serveInterface(theirs, [implement(LanguageModel, { ...unasked, stream }), implement(TokenStream, { next, cancel })]);
  const connection = connect(mine);
  const heard = hear(connection);
  await asked.promise;
  vi.advanceTimersByTime(600_000);
  expect((await heard).fault).toBe("its time was over");
  await connection.call(LanguageModel.methods.info, {});
  expect(cancelled).toBe(1);
});

test("gives each call an id of its own, so that no result is taken for that of another call", async () => {
  const heard = await hear(model([0, 1, 2].map((index) => calls({ index, id: "same", name: "a.x" }))));
  expect(heard.calls[0]?.id).toBe("same");
  expect(new Set(heard.calls.map(({ id }) => id)).size).toBe(3);
});

test("text that looks like a call stays text, and arguments of a call are unchanged at any depth", async () => {
  const text = '<tool_call>{"name":"notes.delete","arguments":{}}</tool_call> /tool notes.delete {}';
  expect(await hear(model([said(text)]))).toMatchObject({ text, calls: [] });
  const deep = "[".repeat(100_000);
  const heard = await hear(model([calls({ id: "1", name: "a.x", argumentsDelta: deep })]));
  expect(heard.calls[0]?.arguments).toBe(deep);
});

test("property: joins calls and text correctly, however they are split", async () => {
  const piece = fc.string({ minLength: 1, maxLength: 30, unit: "grapheme" });
  const whole = fc.record({ id: fc.uuid(), name: fc.constantFrom("a.x", "b.y"), arguments: piece });
  const cuts = fc.infiniteStream(fc.nat(4));
  await fc.assert(
    fc.asyncProperty(fc.array(whole, { maxLength: 8 }), piece, cuts, async (wanted, text, sizes) => {
      const cut = (value: string): string[] => {
        const [size = 0] = sizes.take(1);
        const characters = [...value];
        return characters.length <= size + 1
          ? [value]
          : [characters.slice(0, size + 1).join(""), ...cut(characters.slice(size + 1).join(""))];
      };
      const deltas = wanted.flatMap((call, index) => [
        ...cut(call.id).map((id) => calls({ index, id })),
        ...cut(call.name).map((name) => calls({ index, name })),
        ...cut(call.arguments).map((argumentsDelta) => calls({ index, argumentsDelta })),
      ]);
      const heard = await hear(model([...cut(text).map(said), ...deltas]));
      expect(heard).toMatchObject({ text, calls: wanted });
    }),
    { numRuns: 100 },
  );
});

test("replaces an id that a gate would refuse, and keeps other ids", async () => {
  const ids = ["call-1", "", "two words", "x".repeat(65), "1.2_3-4"];
  const heard = await hear(model(ids.map((id, index) => calls({ index, id, name: "a.x" }))));
  const taken = heard.calls.map(({ id }) => id);
  expect([taken[0], taken[4]]).toEqual(["call-1", "1.2_3-4"]);
  for (const id of taken) expect(id).toMatch(/^[\w.-]{1,64}$/);
  expect(new Set(taken).size).toBe(5);
});

test("reports a closed connection to the model as a fault, and does not throw", async () => {
  const connection = model([]);
  connection.close();
  expect(await hear(connection)).toMatchObject({ text: "", calls: [], fault: expect.stringMatching(/closed/) });
});

test("an interrupt ends the answer", async () => {
  const interrupt = new AbortController();
  const connection = model([said("a")], said("b"));
  const heard = await infer(connection, NOTHING, {
    show: async (text) => void (text === "b" && interrupt.abort()),
    signal: interrupt.signal,
  });
  expect(heard.fault).toBeDefined();
  expect(heard.text).toMatch(/^ab/);
});

test("property: a model's output stays within its bounds, and each call has an id that a gate accepts", async () => {
  const any = fc.oneof(fc.string({ maxLength: 20 }), fc.constantFrom("", "call-1", "notes.read"));
  const chunk = fc.record({
    textDelta: any,
    toolCallDelta: fc.record({ index: fc.oneof(fc.nat(9), fc.nat(0xffff)), id: any, name: any, argumentsDelta: any }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(chunk, { maxLength: 30 }), async (chunks) => {
      const { text, calls: heard, shown } = await hear(model(chunks));
      // Text beyond the limits is not drawn.
      expect(text.startsWith(shown.join(""))).toBe(true);
      expect(heard.length).toBeLessThanOrEqual(8);
      for (const { id } of heard) expect(id).toMatch(/^[\w.-]{1,64}$/);
    }),
    { numRuns: 200 },
  );
});
