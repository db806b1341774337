// Tests both dialects as providers write them, and with malformed answers.

import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalizeArguments } from "../../../lib/policy/index.ts";
import { MOST_ARGUMENTS, MOST_CALLS, MOST_LINE_BYTES, MOST_TEXT } from "./limits.ts";
import { OLLAMA } from "./ollama.ts";
import { OPENAI } from "./openai.ts";
import { type Call, delta, event, heard, USED, written } from "./testing/answers.ts";

const BOTH = [OPENAI, OLLAMA];
const said = (dialect: typeof OPENAI, ...texts: readonly string[]) =>
  heard(
    dialect,
    texts.map((text) => Buffer.from(text)),
  );
const NAMES = ["notes.read", "notes_read", "web.get"];
const anyText = fc.string({ unit: "grapheme", maxLength: 12 });
const anyJson = fc.dictionary(fc.constantFrom("path", "a", "b"), fc.oneof(anyText, fc.nat(9), fc.boolean()), {
  maxKeys: 3,
});
const anyCall: fc.Arbitrary<Call> = fc.record({
  name: fc.constantFrom("notes_read", "notes_read_2", "web_get", "shell"),
  json: anyJson.map((value) => JSON.stringify(value)),
});

test("reads the same answer however it is split", async () => {
  const OURS: Readonly<Record<string, string>> = {
    notes_read: "notes.read",
    notes_read_2: "notes_read",
    web_get: "web.get",
  };
  const any = fc.record({
    dialect: fc.constantFrom(...BOTH),
    text: fc.array(anyText, { maxLength: 4 }),
    calls: fc.array(anyCall, { maxLength: 4 }),
    cuts: fc.array(fc.nat(), { maxLength: 8 }),
    carriage: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(any, async ({ dialect, text, calls, cuts, carriage }) => {
      const whole = written(dialect, text, calls);
      const bytes = Buffer.from(carriage ? whole.replaceAll("\n", "\r\n") : whole);
      const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
      const pieces = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
      const answer = await heard(dialect, pieces, NAMES);
      expect([answer.fault, answer.text, answer.drawn]).toEqual([undefined, text.join(""), text.join("")]);
      expect(answer.calls.map(({ name }) => name)).toEqual(calls.map(({ name }) => OURS[name] ?? name));
      expect(answer.calls.map(({ arguments: json }) => JSON.parse(json))).toEqual(
        calls.map(({ json }) => JSON.parse(json)),
      );
      // The provider's ids are all equal or missing, but ours are distinct.
      expect(new Set(answer.calls.map(({ id }) => id)).size).toBe(calls.length);
      expect(answer.told).toEqual({ promptTokens: 70, outputTokens: 30 });
    }),
    { numRuns: 60 },
  );
});

test("any bytes are read within bounds, and an answer without an end is refused", async () => {
  const word = fc.constantFrom(
    ...'data: |\n|\n\n|{|}|[|]|"|:|,|choices|delta|content|tool_calls|index|function|name|arguments|message|done|true|[DONE]|\\u'.split(
      "|",
    ),
    "\ufeff",
    "9".repeat(20),
  );
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 64 }),
    fc.array(word, { maxLength: 40 }).map((words) => Buffer.from(words.join(""))),
    fc.tuple(fc.constantFrom(...BOTH), fc.nat(), fc.nat(255)).map(([dialect, at, byte]) => {
      const whole = Buffer.from(written(dialect, ["ab"], [{ name: "web_get", json: '{"path":"x"}' }]));
      whole[at % whole.length] = byte;
      return whole;
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...BOTH), fc.array(bytes, { maxLength: 4 }), async (dialect, pieces) => {
      const { text, calls, fault, drawn } = await heard(dialect, pieces);
      expect(text.length).toBeLessThanOrEqual(MOST_TEXT);
      expect(calls.length).toBeLessThanOrEqual(MOST_CALLS);
      expect(drawn.isWellFormed()).toBe(true);
      if (fault !== undefined) expect(calls).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test("a fault in a stream gives a reason, and an incomplete answer has no calls", async () => {
  const call = (index: number, more: object) => delta({ tool_calls: [{ index, id: "x", ...more }] });
  const named = { function: { name: "web_get", arguments: "{" } };
  const many = Array.from({ length: 10_000 }, (_, index) => call(index, named)).join("");
  const long = `data: ${"x".repeat(MOST_LINE_BYTES)}`;
  const lines = "data: x\n".repeat(MOST_LINE_BYTES / 2 + 1);
  const faults: readonly (readonly [string, string])[] = [
    ["the answer breaks off", delta({ content: "half" })],
    ["the answer breaks off", ""],
    ["it makes more than 16 calls", many],
    ["it makes a call that is too long", call(0, { function: { name: "n".repeat(300) } })],
    [
      "it makes a call that is too long",
      call(0, { function: { arguments: "x".repeat(MOST_ARGUMENTS / 2 + 1) } }).repeat(2),
    ],
    ["it makes a call and does not say of what", call(0, { function: { arguments: "{}" } }) + delta({}, "tool_calls")],
    ["a call was cut off before it was whole", call(0, named) + delta({}, "length")],
    ["it sends a piece of a call and does not say of which", delta({ tool_calls: [{ function: { arguments: "{" } }] })],
    ["it sends a piece of a call and does not say of which", delta({ tool_calls: [{ index: "0", ...named }] })],
    ["it makes more than 16 calls", delta({ tool_calls: [{ function: { name: "now", arguments: "{}" } }] }).repeat(17)],
    ["it sends a piece of a call and does not say of which", call(-1, named)],
    ["it ends its answer (content_filter) before it is whole", delta({}, "content_filter")],
    ["it ends its answer before it is whole", delta({}, "\u001b[2J now do")],
    ["it breaks off with an error (overloaded)", event({ error: { type: "overloaded", message: "obey" } })],
    ["it sends an event that is no JSON", "data: {\n\n"],
    ["it sends an event that is no JSON", `data: ${"[".repeat(10_000)}\n\n`],
    ["it sends an event that is no JSON", 'data: {"choices":[],"choices":[]}\n\n'],
    [`it sends a line of more than ${MOST_LINE_BYTES} bytes`, long],
    ["it sends an event that is too long", lines],
    [`it says more than ${MOST_TEXT} characters`, delta({ content: "x".repeat(100_000) }).repeat(3)],
  ];
  for (const [why, stream] of faults) {
    const answer = await said(OPENAI, stream);
    expect([answer.fault, answer.calls], why).toEqual([`the model's provider: ${why}`, []]);
  }
  const ollama: readonly (readonly [string, string])[] = [
    ["the answer breaks off", '{"message":{"content":"a"},"done":false}\n'],
    ["it breaks off with an error", '{"error":"model runner has stopped"}\n'],
    ["it sends a line that is no JSON object", "[]\n"],
    [
      "it makes more than 16 calls",
      `{"message":{"tool_calls":[${'{"function":{"name":"a"}},'.repeat(10_000).slice(0, -1)}]}}`,
    ],
    ["it makes a call and does not say of what", '{"message":{"tool_calls":[7]},"done":true}'],
  ];
  for (const [why, stream] of ollama) {
    const answer = await said(OLLAMA, stream);
    expect([answer.fault, answer.calls], why).toEqual([`the model's provider: ${why}`, []]);
  }
  const latin = await heard(OPENAI, [Buffer.from("data: "), Buffer.of(0xff, 10)]);
  expect(latin.fault).toBe("the model's provider: it sends what is no text in UTF-8");
});

test("text that looks like a call stays text, and malformed arguments are passed to the gate", async () => {
  const looks = '{"name":"web.get","arguments":{}} <tool_call>web_get</tool_call>\ndata: [DONE]\n\n';
  for (const dialect of BOTH) {
    const answer = await said(dialect, written(dialect, [looks], []));
    expect([answer.text, answer.calls, answer.fault]).toEqual([looks, [], undefined]);
  }
  const bad = delta({ tool_calls: [{ index: 3, function: { name: "web_get", arguments: "not json" } }] });
  const none = delta({ tool_calls: [{ index: 9, function: { name: "shell" } }] });
  const { calls } = await said(OPENAI, bad + none + delta({}, "tool_calls"));
  expect(calls.map(({ name, arguments: json }) => [name, json])).toEqual([
    ["web_get", "not json"],
    ["shell", "{}"],
  ]);
});

test("accepts a provider's usage only with or after the end of its answer, and only as numbers", async () => {
  const usage = (prompt_tokens: unknown, completion_tokens: unknown, more: object = {}) =>
    event({ choices: [], usage: { prompt_tokens, completion_tokens, ...more } });
  const end = delta({}, "stop");
  const told = async (...texts: readonly string[]) => (await said(OPENAI, ...texts)).told;
  expect(await told(usage(7, 1), delta({ content: "a" }))).toBeUndefined();
  expect(await told(usage(7, 1), delta({ content: "a" }), end)).toBeUndefined();
  expect(await told(usage(7, 1), delta({ content: "a" }), end, usage(7, 3))).toEqual({
    ...{ promptTokens: 7, outputTokens: 3 },
  });
  const whole = { choices: [{ index: 0, delta: {}, finish_reason: "stop" }], usage: USED };
  expect(await told(event(whole))).toEqual({ promptTokens: 70, outputTokens: 30 });
  expect(await told(end, usage(7, 0))).toEqual({ promptTokens: 7, outputTokens: 0 });
  for (const [prompt, output] of [
    [-5, 3],
    [7, 1.5],
    [7, "3"],
    [7, null],
    [undefined, 3],
  ]) {
    expect(await told(end, usage(prompt, output)), `${prompt}, ${output}`).toBeUndefined();
  }
  // Some providers include reasoning tokens only in the total.
  expect(await told(end, usage(7, 3, { total_tokens: 90 }))).toEqual({ promptTokens: 7, outputTokens: 83 });
  expect(await told(end, usage(7, 3, { total_tokens: 10 }))).toEqual({ promptTokens: 7, outputTokens: 3 });
  const line = (more: object) => `${JSON.stringify({ message: { content: "a" }, ...more })}\n`;
  const ollama = async (more: object) => (await said(OLLAMA, line(more))).told;
  expect(await ollama({ done: false, prompt_eval_count: 7, eval_count: 3 })).toBeUndefined();
  // Ollama omits a count of 0, such as that of a prompt that is in its cache.
  expect(await ollama({ done: true, eval_count: 3 })).toEqual({ promptTokens: 0, outputTokens: 3 });
  expect(await ollama({ done: true, prompt_eval_count: "7", eval_count: 3 })).toBeUndefined();
});

test("an answer ends at the provider's length limit or when its tokens are used up; the local count applies if the provider reports none", async () => {
  const short = await said(OPENAI, delta({ content: "12345" }), delta({}, "length"));
  expect([short.told, short.used, short.isCut, short.fault]).toEqual([undefined, 2, true, undefined]);
  expect((await said(OPENAI, delta({}, "stop") + event({ usage: USED }))).told).toBeDefined();
  const over = await heard(OPENAI, [Buffer.from(delta({ content: "12345678" }) + delta({ content: "9" }))], [], 2);
  expect([over.drawn, over.fault]).toEqual(["12345678", "the model's provider: its tokens are used up"]);
  const after = await said(
    OPENAI,
    delta({ content: "a" }, "stop"),
    "data: [DONE]\n\n",
    "data: {",
    delta({ content: "b" }),
  );
  expect([after.text, after.fault]).toEqual(["a", undefined]);
});

/** Returns the calls of an answer with these pieces, one in each delta, as names with arguments. */
async function callsOf(pieces: readonly object[], finish = "tool_calls") {
  const stream = pieces.map((piece) => delta({ tool_calls: [piece] })).join("") + delta({}, finish);
  const { calls, fault } = await heard(OPENAI, [Buffer.from(stream)], ["web.get", "web.get_all", "notes.read"]);
  return fault ?? calls.map(({ name, arguments: json }) => `${name} ${json}`);
}

const fn = (name: string, json: unknown) => ({ function: { name, arguments: json } });
const more = (json: string) => ({ function: { arguments: json } });

test.each<readonly [string, readonly object[], readonly string[]]>([
  ["are an object", [{ index: 0, id: "a", ...fn("web_get", { path: "x" }) }], ['web.get {"path":"x"}']],
  ["are null", [{ index: 0, id: "a", ...fn("web_get", null) }], ["web.get {}"]],
  ["are a number", [{ index: 0, id: "a", ...fn("web_get", 7) }], ["web.get 7"]],
])("arguments of a call that %s reach the gate unchanged", async (_, pieces, calls) => {
  expect(await callsOf(pieces)).toEqual(calls);
});

test.each<readonly [string, readonly object[], readonly string[]]>([
  [
    "each with an id",
    [
      { id: "a", ...fn("web_get", '{"path":') },
      { id: "a", ...more('"x"}') },
      { id: "b", ...fn("notes_read", "{}") },
    ],
    ['web.get {"path":"x"}', "notes.read {}"],
  ],
  [
    "that alternate by their ids",
    [
      { id: "a", ...fn("web_get", "") },
      { id: "b", ...fn("notes_read", "") },
      { id: "a", ...more("{}") },
      { id: "b", ...more('{"path":"y"}') },
    ],
    ["web.get {}", 'notes.read {"path":"y"}'],
  ],
  [
    "without ids",
    [fn("web_get", '{"path":'), more('"x"}'), fn("web_get", "{}"), fn("notes_read", "{}")],
    ['web.get {"path":"x"}', "web.get {}", "notes.read {}"],
  ],
  [
    "without ids and arguments",
    [fn("web_get", ""), fn("web_get", ""), fn("notes_read", "")],
    ["web.get {}", "web.get {}", "notes.read {}"],
  ],
])("separates calls without an index: %s", async (_, pieces, calls) => {
  expect(await callsOf(pieces)).toEqual(calls);
});

test.each<readonly [string, readonly object[], readonly string[]]>([
  [
    "with two ids and two names",
    [
      { index: 0, id: "a", ...fn("web_get", '{"path":"x"}') },
      { index: 0, id: "b", ...fn("notes_read", "{}") },
    ],
    ['web.get {"path":"x"}', "notes.read {}"],
  ],
  [
    "with two ids and one name",
    [
      { index: 0, id: "a", ...fn("web_get", '{"path":"}"}') },
      { index: 0, id: "b", ...fn("web_get", "{}") },
    ],
    ['web.get {"path":"}"}', "web.get {}"],
  ],
  [
    "that begin one after the other",
    [
      { index: 0, id: "a", ...fn("web_get", "") },
      { index: 0, ...more('{"path":"x"}') },
      { index: 0, id: "b", ...fn("notes_read", "") },
      { index: 0, ...more('{"path":"y"}') },
    ],
    ['web.get {"path":"x"}', 'notes.read {"path":"y"}'],
  ],
])("separates calls that all have the index 0: %s", async (_, pieces, calls) => {
  expect(await callsOf(pieces)).toEqual(calls);
});

test.each<readonly [string, readonly object[]]>([
  ["whole in each piece", [fn("web_get", '{"path"'), fn("web_get", ':"x'), fn("web_get", '"}'), fn("web_get", "")]],
  ["in parts", [fn("web", ""), fn("_get", '{"path":"x"}')]],
  ["with more of it in each piece", [fn("web", ""), fn("web_get", ""), more('{"path":"x"}')]],
  [
    "with another id in each piece",
    [
      { id: "a", ...fn("web_get", '{"path"') },
      { id: "b", ...more(':"x"}') },
    ],
  ],
])("reads the name of a single call once: %s", async (_, pieces) => {
  expect(await callsOf(pieces.map((piece) => ({ index: 0, ...piece })))).toEqual(['web.get {"path":"x"}']);
});

test("does not cut an offered name whose beginning is another offered name", async () => {
  expect(
    await callsOf([
      { index: 0, ...fn("web_get", "") },
      { index: 0, ...fn("_all", "{}") },
    ]),
  ).toEqual(["web.get_all {}"]);
});

test("reads a call in the provider's older form", async () => {
  const stream =
    delta({ function_call: { name: "web_get", arguments: '{"pa' } }) +
    delta({ function_call: { arguments: 'th":"x"}' } });
  const { calls } = await heard(OPENAI, [Buffer.from(stream + delta({}, "function_call"))], ["web.get"]);
  expect(calls).toMatchObject([{ name: "web.get", arguments: '{"path":"x"}' }]);
});

test("reads an answer that comes as a message instead of deltas, and ignores a message that repeats the deltas", async () => {
  const message = { role: "assistant", content: "Hello", tool_calls: [{ id: "a", ...fn("web_get", { path: "x" }) }] };
  const whole = event({ choices: [{ index: 0, message, finish_reason: "tool_calls" }] });
  const answer = await heard(OPENAI, [Buffer.from(whole)], ["web.get"]);
  expect([answer.text, answer.calls.map(({ arguments: json }) => json), answer.fault]).toEqual([
    "Hello",
    ['{"path":"x"}'],
    undefined,
  ]);
  const again = await said(OPENAI, delta({ content: "Hel" }), delta({ content: "lo" }), whole);
  expect([again.text, again.calls, again.fault]).toEqual(["Hello", [], undefined]);
});

test("joins the texts of content that consists of several parts", async () => {
  const content = [
    { type: "text", text: "Hel" },
    { type: "reference", reference_ids: [1] },
    { type: "text", text: "lo" },
  ];
  expect((await said(OPENAI, delta({ content }, "stop"))).text).toBe("Hello");
  expect((await said(OLLAMA, `${JSON.stringify({ message: { content }, done: true })}\n`)).text).toBe("Hello");
});

test("a number that arguments may not contain does not fail an answer, but the gate refuses a call with this number", async () => {
  const created =
    'data: {"created":1e+21,"id":123456789012345678901234567890,"choices":[{"delta":{"content":"Hi","logprob":-1e999},"finish_reason":"stop"}]}\n\n';
  const answer = await said(OPENAI, created);
  expect([answer.text, answer.fault]).toEqual(["Hi", undefined]);
  for (const digits of ["1e+21", "1e999", "-1e999", "9007199254740993"]) {
    const made = `{"message":{"tool_calls":[{"function":{"name":"web_get","arguments":{"n":${digits}}}}]},"done":true}\n`;
    const { calls, fault } = await said(OLLAMA, made);
    expect([calls.length, fault], digits).toEqual([1, undefined]);
    expect(canonicalizeArguments(calls[0]?.arguments ?? "").ok, digits).toBe(false);
  }
});

test("joins the two surrogates of a character, and replaces a lone surrogate", async () => {
  const halves = (first: string, second: string) =>
    `data: {"choices":[{"delta":{"content":"${first}"}}]}\n\ndata: {"choices":[{"delta":{"content":"${second}"},"finish_reason":"stop"}]}\n\n`;
  const whole = await said(OPENAI, halves("a\\ud83d", "\\ude00b"));
  expect([whole.text, whole.drawn, whole.fault]).toEqual(["a😀b", "a😀b", undefined]);
  expect((await said(OPENAI, halves("a\\ud83d", "b"))).text).toBe("a\ufffdb");
  expect((await said(OPENAI, halves("a\\ude00", "b\\ud83d"))).text).toBe("a\ufffdb");
});

test("reads Ollama's arguments if they are text", async () => {
  const made = `${JSON.stringify({ message: { tool_calls: [fn("web_get", '{"path":"x"}')] }, done: true })}\n`;
  expect((await said(OLLAMA, made)).calls).toMatchObject([{ arguments: '{"path":"x"}' }]);
});
