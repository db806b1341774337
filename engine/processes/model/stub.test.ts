import fc from "fast-check";
import { expect, test } from "vitest";
import { valuesOf } from "../../lib/wire/fixture/values.ts";
import { type ChatMessage, InferenceRequest } from "../../lib/wire/generated/capos.ts";
import { splitIntoChunks } from "./chunks.ts";
import { MAX_REPLIES, readReplies } from "./replies.ts";
import { answerOf, type StubRequest } from "./stub.ts";

const REPLIES = [
  { when: { user: "read" }, say: "Let me see.", call: [{ name: "notes.read", arguments: { path: "a" } }] },
  { when: { tool: "notes.read", outcome: "ok" }, say: "It says: {content} ({unknown})" },
  { when: { tool: "notes.read", outcome: "executionError" }, say: "No: {error}" },
  { when: { user: "wait" }, say: "…", pause: "untilCancelled" },
  { when: { user: "err" }, call: [{ name: "notes.read", arguments: "{" }] },
];

function read(value: unknown) {
  return readReplies(Buffer.from(typeof value === "string" ? value : JSON.stringify(value)));
}

function replies() {
  const result = read(REPLIES);
  if (!result.ok) throw new Error(result.reason);
  return result.value;
}

const message = (changes: Partial<ChatMessage>): ChatMessage => ({
  role: "user",
  content: "",
  toolCallId: "",
  toolCalls: [],
  ...changes,
});

function asking(messages: readonly ChatMessage[], ...names: readonly string[]): StubRequest {
  const rest = { description: "", interfaceId: 0n, methodName: "", paramSchema: "", category: "" };
  return { messages, tools: names.map((name) => ({ name, ...rest, permission: "auto" })) };
}

test("a known line gets the reply's text and calls", () => {
  expect(answerOf(replies(), asking([message({ content: "read" })]))).toEqual({
    text: "Let me see.",
    calls: [{ id: "call-1", name: "notes.read", arguments: '{"path":"a"}' }],
    pausesUntilCancelled: false,
  });
});

test("an unknown line gets a text that lists the known lines", () => {
  const { text, calls } = answerOf(replies(), asking([message({ content: "read " })]));
  expect(text).toMatch(/stub.*\n {2}read\n {2}wait\n {2}err$/s);
  expect(calls).toEqual([]);
});

test("answers a tool's result by tool and outcome, and fills in fields of the result", () => {
  const asked = message({ role: "assistant", toolCalls: [{ id: "call-1", name: "notes.read", arguments: "{}" }] });
  const said = (report: object) =>
    answerOf(
      replies(),
      asking([asked, message({ role: "tool", toolCallId: "call-1", content: JSON.stringify(report) })]),
    ).text;
  expect(said({ outcome: "ok", content: '{"content":"milk"}' })).toBe("It says: milk ({unknown})");
  expect(said({ outcome: "executionError", error: "gone" })).toBe("No: gone");
  expect(said({ outcome: "timedOut", error: "late" })).toMatch(/^notes\.read: timedOut\. I am a stub/);
});

test("a placeholder may name a field in a field of the result, at most eight levels deep", () => {
  const asked = message({ role: "assistant", toolCalls: [{ id: "call-1", name: "web.get", arguments: "{}" }] });
  const said = (say: string, content: object) => {
    const known = read([{ when: { tool: "web.get", outcome: "ok" }, say }]);
    if (!known.ok) throw new Error(known.reason);
    const report = JSON.stringify({ outcome: "ok", content: JSON.stringify(content) });
    return answerOf(known.value, asking([asked, message({ role: "tool", toolCallId: "call-1", content: report })]))
      .text;
  };
  const response = { status: 200, body: "hello", headers: [{ name: "a" }] };
  expect(said("{response.status}: {response.body}", { response })).toBe("200: hello");
  expect(said("{response.headers}", { response })).toBe('[{"name":"a"}]');
  // These placeholders stay: the named field is missing, or the value is a text or a list, which has no fields.
  for (const literal of ["{body}", "{response.none}", "{response.body.length}", "{response.headers.0}", "{response.}"])
    expect(said(literal, { response })).toBe(literal);
  for (const name of ["toString", "__proto__", "constructor"])
    expect(said(`{a.${name}}`, { a: {} })).toBe(`{a.${name}}`);
  const deep = { a: { b: { c: { d: { e: { f: { g: { h: { i: "deep" } } } } } } } } };
  expect(said("{a.b.c.d.e.f.g.h}", deep)).toBe('{"i":"deep"}');
  expect(said("{a.b.c.d.e.f.g.h.i}", deep)).toBe("{a.b.c.d.e.f.g.h.i}");
});

test("the placeholder {tools} becomes the names of the offered tools, and an unknown placeholder stays", () => {
  const seen = read([{ when: { user: "see" }, say: "I see {tools}, {content}." }]);
  if (!seen.ok) throw new Error(seen.reason);
  const { text } = answerOf(seen.value, asking([message({ content: "see" })], "a.x", "b.y"));
  expect(text).toBe("I see a.x, b.y, {content}.");
});

test("a tool's result with the text of a person's line does not count as that line", () => {
  expect(answerOf(replies(), asking([message({ role: "tool", content: "read" })])).calls).toEqual([]);
});

test("ids of calls continue from earlier ids", () => {
  const before = message({ role: "assistant", toolCalls: [{ id: "call-1", name: "x", arguments: "" }] });
  expect(answerOf(replies(), asking([before, message({ content: "err" })])).calls).toEqual([
    { id: "call-2", name: "notes.read", arguments: "{" },
  ]);
});

test("the chunks of an answer add up to the answer", () => {
  const answer = {
    text: "é😀".repeat(40),
    calls: [
      { id: "1", name: "a", arguments: JSON.stringify({ long: "x".repeat(100) }) },
      { id: "2", name: "b", arguments: "" },
    ],
    pausesUntilCancelled: false,
  };
  const chunks = [...splitIntoChunks(answer)];
  expect(chunks.map(({ textDelta }) => textDelta).join("")).toBe(answer.text);
  const built = answer.calls.map((_, index) => {
    const deltas = chunks.map(({ toolCallDelta }) => toolCallDelta).filter((delta) => delta.index === index);
    const joined = (field: "id" | "name" | "argumentsDelta") => deltas.map((delta) => delta[field]).join("");
    return { id: joined("id"), name: joined("name"), arguments: joined("argumentsDelta") };
  });
  expect(built).toEqual(answer.calls);
  expect(Math.max(...chunks.map(({ textDelta }) => [...textDelta].length))).toBeLessThanOrEqual(16);
});

const WRONG: Readonly<Record<string, [value: unknown, reason: RegExp]>> = {
  "malformed JSON": ["[", /expected/],
  "not a list": [{}, /not a list/],
  "a repeated name": ['[{"when":{"user":"a","user":"b"}}]', /twice/],
  "too many replies": [Array(MAX_REPLIES + 1).fill(REPLIES[1]), /more than/],
  "not an object": [[1], /reply 1: not an object/],
  "an unknown field": [[{ when: { user: "a" }, speak: "b" }], /reply 1: "speak" is not known/],
  "no occasion": [[REPLIES[0], { say: "a" }], /reply 2: "when" is missing/],
  "two occasions": [[{ when: { user: "a", tool: "b" } }], /"tool" is not known/],
  "an unknown outcome": [[{ when: { tool: "a", outcome: "fine" } }], /"outcome" is not one of ok/],
  "a text of another type": [[{ when: { user: "a" }, say: 1 }], /"say"/],
  "a text too long": [[{ when: { user: "a" }, say: "x".repeat(8193) }], /"say"/],
  "a call without name": [[{ when: { user: "a" }, call: [{}] }], /"name"/],
  "too many calls": [[{ when: { user: "a" }, call: Array(9).fill({ name: "a" }) }], /at most 8 calls/],
  "a pause of another type": [[{ when: { user: "a" }, pause: 5 }], /"pause"/],
};

for (const [what, [value, reason]] of Object.entries(WRONG)) {
  test(`refuses replies: ${what}`, () => {
    expect(read(value)).toMatchObject({ ok: false, reason: expect.stringMatching(reason) });
  });
}

test("refuses replies: not UTF-8", () => {
  expect(readReplies(Uint8Array.of(0x5b, 0xff, 0x5d))).toEqual({ ok: false, reason: "not UTF-8" });
});

/** Returns mostly one of these texts, sometimes an invalid value. */
const mostly = (...right: readonly string[]) =>
  fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom(...right) },
    { weight: 1, arbitrary: fc.constantFrom(1, null, "", "x") },
  );
const field = mostly("a", "{error}");
const nearly = fc.array(
  fc.record(
    {
      when: fc.oneof(
        fc.record({ user: field }),
        fc.record({ tool: field, outcome: mostly("ok", "cancelled") }),
        fc.dictionary(fc.constantFrom("user", "tool", "outcome", "other"), field),
      ),
      say: field,
      call: fc.array(fc.record({ name: field, arguments: fc.jsonValue() }, { requiredKeys: ["name"] }), {
        maxLength: 9,
      }),
      pause: mostly("untilCancelled"),
    },
    { requiredKeys: ["when"] },
  ),
  { maxLength: 4 },
);
const anyBytes = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.string({ unit: "binary" }).map((text) => Buffer.from(text)),
  { weight: 4, arbitrary: nearly.map((replies) => Buffer.from(JSON.stringify(replies))) },
);

test("property: reads any bytes as replies or refuses them with a reason, and valid replies answer any request", () => {
  let answered = 0;
  fc.assert(
    fc.property(anyBytes, valuesOf(InferenceRequest), (bytes, request) => {
      const replies = readReplies(bytes);
      if (!replies.ok) {
        expect(replies.reason).not.toBe("");
        return;
      }
      const lines = replies.value.flatMap(({ when }) => (when.which === "user" ? [when.line] : []));
      const said = lines.map((content) => ({ role: "user", content, toolCallId: "", toolCalls: [] }) as const);
      for (const messages of [request.messages, ...said.map((message) => [...request.messages, message])]) {
        const { text, calls } = answerOf(replies.value, { ...request, messages });
        expect(calls.length).toBeLessThanOrEqual(8);
        expect(typeof text).toBe("string");
        answered += 1;
      }
    }),
    { numRuns: 500 },
  );
  // Many of the random replies must be valid: the checks above skip invalid ones.
  expect(answered).toBeGreaterThan(100);
});
