import fc from "fast-check";
import { expect, test } from "vitest";
import { renderCanonicalJson } from "../../lib/policy/index.ts";
import { type ChatMessage, InferenceRequest } from "../../lib/wire/generated/capos.ts";
import type { Saying } from "../../lib/wire/generated/conversations.ts";
import type { Redaction } from "../../lib/wire/generated/policy.ts";
import { decode, type StructLayout } from "../../lib/wire/index.ts";
import type { FieldType } from "../../lib/wire/layout.ts";
import { convertToMessage, createRecalledMessage } from "../loop/messages.ts";
import { redactRequest, redactTexts } from "./redacting.ts";

const LABEL = { confidentiality: 2, integrity: 2, compartments: 0n };

function redaction(name: string, changes: Partial<Redaction> = {}): Redaction {
  return { name, label: LABEL, patterns: [], results: [], arguments: [], ...changes };
}

const CARDS = redaction("cards", { patterns: ["#### #### #### ####", "################"] });
const CARD = "4111 1111 1111 1111";

const say = (role: ChatMessage["role"], content: string): ChatMessage => ({
  role,
  content,
  toolCallId: "",
  toolCalls: [],
});
const call = (name: string, args: string, id = "c1"): ChatMessage => ({
  ...say("assistant", ""),
  toolCalls: [{ id, name, arguments: args }],
});
const SAYING: Saying = {
  ...{ sequence: 4n, turn: 2, saidMs: 0n, role: "tool", text: "", calls: [], callId: "c1", source: "", outcome: "ok" },
  through: 0n,
};
const result = (source: string, text: string, outcome: Saying["outcome"] = "ok"): ChatMessage =>
  convertToMessage({ ...SAYING, text, source, outcome });

/** A request with default values only. */
const REQUEST: InferenceRequest = createBlank(InferenceRequest);

function createBlank<T>(layout: StructLayout<T>): T {
  const read = decode(layout, new Uint8Array(8));
  if (!read.ok) throw new Error(read.reason);
  return read.value;
}

function redact(redactions: readonly Redaction[], ...messages: readonly ChatMessage[]) {
  const redacted = redactRequest(redactions, { ...REQUEST, messages });
  if (!redacted.ok) throw new Error(redacted.reason);
  const { request, masked } = redacted.value;
  return { messages: request.messages, masked };
}

const places = ({ masked }: ReturnType<typeof redact>) => masked.map((one) => one.places);

test("without redactions a request is unchanged", () => {
  const messages = [say("user", CARD)];
  expect(redact([], ...messages)).toEqual({ messages, masked: [] });
});

test("a request without a match is unchanged to the byte", () => {
  const odd = [
    say("user", ' { "b":1, "a" : 2 } '),
    call("a.b", '{"z":1.0, "a":[ ]}'),
    result("a.b", '{"z":1}'),
    say("user", "["),
  ];
  expect(redact([CARDS], ...odd)).toEqual({ messages: odd, masked: [{ redaction: "cards", places: 0 }] });
});

test.each<[string, ChatMessage, string]>([
  ["typed text", say("user", `pay with ${CARD} now`), "pay with [redacted] now"],
  ["an answer", say("assistant", `${CARD}, ${CARD}`), "[redacted], [redacted]"],
  ["the system prompt", say("system", CARD), "[redacted]"],
  ["JSON that a person typed", say("user", `{"a": "${CARD}", "b": [1, "x"]}`), '{"a":"[redacted]","b":[1,"x"]}'],
  ["a number", say("user", '{"a": 4111111111111111}'), '{"a":"[redacted]"}'],
  ["a name in JSON", say("user", `{"${CARD}": 1}`), '{"[redacted]":1}'],
  ["escapes", say("user", '"4111\\u00201111 1111 1111"'), '"[redacted]"'],
])("masks a pattern in %s", (_, message, expected) => {
  expect(redact([CARDS], message).messages[0]?.content).toBe(expected);
});

test("masks a pattern in results, at any depth of nested JSON, and in errors", () => {
  const inner = renderCanonicalJson({ text: renderCanonicalJson({ rows: [{ card: CARD }] }) });
  expect(redact([CARDS], result("a.b", inner)).messages[0]?.content).toBe(
    renderCanonicalJson({
      source: "a.b",
      outcome: "ok",
      content: renderCanonicalJson({ text: renderCanonicalJson({ rows: [{ card: "[redacted]" }] }) }),
    }),
  );
  expect(JSON.stringify(redact([CARDS], result("a.b", `no ${CARD}`, "executionError")))).not.toContain("4111");
});

test("masks a pattern in arguments, names of tools and ids of calls", () => {
  const { messages, masked } = redact([CARDS], call(CARD, `{"a":"${CARD}"}`, "4111111111111111"));
  expect(messages[0]?.toolCalls).toEqual([{ id: "[redacted]", name: "[redacted]", arguments: '{"a":"[redacted]"}' }]);
  expect(masked).toEqual([{ redaction: "cards", places: 3 }]);
});

test("masks malformed arguments and cut results as a whole if escapes may hide a match", () => {
  const broken = redact([CARDS], call("a.b", '{"a":"4111\\u00201111 1111 1111"'));
  expect(broken.messages[0]?.toolCalls[0]?.arguments).toBe('{"redacted":"[redacted]"}');
  expect(redact([CARDS], call("a.b", `{"a":"${CARD}`)).messages[0]?.toolCalls[0]?.arguments).toBe('{"a":"[redacted]');
  const hidden = redact(
    [redaction("lines", { patterns: ['a"b"c'] })],
    say("tool", '{"content":"{\\"x\\":\\"a\\\\\\"b\\\\\\"c'),
  );
  expect(hidden.messages[0]?.content).toBe("[redacted]");
});

test("masks a match of which a cut left only a part", () => {
  const cut = redact([CARDS], say("user", `${CARD.slice(0, 12)} [cut: 7 more characters]`));
  expect(cut.messages[0]?.content).toBe("[redacted] [cut: 7 more characters]");
  const bytes = redact([CARDS], result("a.b", `{"text":"x ${CARD.slice(0, 6)} [cut: 900 more bytes]"}`));
  expect(JSON.stringify(bytes)).not.toContain("4111");
});

test("masks fields of results and arguments, and their values wherever they occur", () => {
  const rule = redaction("ids", {
    results: [{ tool: "bank.list", name: "rows.iban" }],
    arguments: [{ tool: "bank.pay", name: "to.iban" }],
  });
  const rows = renderCanonicalJson({
    rows: [
      { iban: "DE89-3704", n: 1 },
      { iban: "FR14-2004", n: 2 },
    ],
    total: 2,
  });
  const { messages, masked } = redact(
    [rule],
    say("user", "is it DE89-3704?"),
    call("bank.list", "{}"),
    result("bank.list", rows),
    call("bank.pay", '{"to":{"iban":"GB29-NWBK"},"n":1}', "c2"),
    say("assistant", "I paid GB29-NWBK and not FR14-2004."),
  );
  expect(messages.map(({ content }) => content)).toEqual([
    "is it [redacted]?",
    "",
    renderCanonicalJson({
      source: "bank.list",
      outcome: "ok",
      content: '{"rows":[{"iban":"[redacted]","n":1},{"iban":"[redacted]","n":2}],"total":2}',
    }),
    "",
    "I paid [redacted] and not [redacted].",
  ]);
  expect(messages[3]?.toolCalls[0]?.arguments).toBe('{"n":1,"to":{"iban":"[redacted]"}}');
  expect(masked).toEqual([{ redaction: "ids", places: 6 }]);
});

const FIELD = redaction("ids", {
  results: [{ tool: "bank.list", name: "rows.iban" }],
  arguments: [{ tool: "bank.pay", name: "iban" }],
});

test.each<[string, ChatMessage]>([
  ["that is truncated", result("bank.list", '{"rows":[{"iban":"DE89-37 [cut: 12 more bytes]')],
  ["that is a text", result("bank.list", '{"text":"[it ran, and its answer cannot be used]\\nDE89-3704"}')],
  ["with a text after it", result("bank.list", '{"rows":[{"iban":"DE89-3704"}]}\n"DE89-3704"')],
  ["in a text that is JSON", result("bank.list", '{"rows":"[{\\"iban\\":\\"DE89-3704\\"}]"}')],
  ["in a text with truncated JSON", result("bank.list", '{"rows":"[{\\"iban\\":\\"DE89-37"}')],
  ["of a program's failure", result("bank.list", "no such account DE89-3704", "executionError")],
  ["of an unknown form", say("tool", "DE89-3704")],
  ["under another source, for the call's id", result("other.tool", '{"rows":[{"iban":"DE89-3704"}]}')],
  ["of arguments that are not JSON", call("bank.pay", '{"iban":"DE89-3704"', "c2")],
  [
    "that is recalled",
    createRecalledMessage({ ...SAYING, text: '{"rows":[{"iban":"DE89-3704"}]}', source: "bank.list" }),
  ],
])("passes on no masked field in a result %s", (_, message) => {
  const asked = { ...message, toolCallId: message.role === "tool" ? "c1" : "" };
  const redacted = redact([FIELD], call("bank.list", "{}"), asked);
  expect(JSON.stringify(redacted.messages)).not.toContain("DE89");
  expect(places(redacted)[0]).toBeGreaterThan(0);
});

test("does not mask the gate's text about a refused call", () => {
  const refused = {
    ...result("bank.list", "x"),
    content: renderCanonicalJson({ source: "bank.list", outcome: "refusedByPolicy", error: "no" }),
  };
  expect(redact([FIELD], refused).messages[0]).toEqual(refused);
});

test("names that objects inherit are not fields", () => {
  const odd = redaction("odd", {
    results: [
      { tool: "a.b", name: "__proto__.x" },
      { tool: "a.b", name: "constructor" },
    ],
  });
  const same = result("a.b", '{"a":1}');
  expect(redact([odd], same).messages[0]).toEqual(same);
  expect(redact([odd], result("a.b", '{"__proto__":{"x":"secret"}}')).messages[0]?.content).not.toContain("secret");
});

test("does not send a conversation whose search would take too long", () => {
  const hard = redaction("hard", { patterns: Array.from({ length: 32 }, () => "#".repeat(128)) });
  const refused = redactRequest([hard], { ...REQUEST, messages: [say("user", "1".repeat(200_000))] });
  expect(refused).toEqual({
    ok: false,
    reason: "the conversation is too long to be searched for what the page masks, and was not sent",
  });
  expect(redactRequest([redaction("bad", { patterns: ["??"] })], REQUEST).ok).toBe(false);
});

test("texts that are sent only to be counted are masked like messages", () => {
  expect(redactTexts([CARDS], [`a ${CARD}`, "b"])).toEqual({ ok: true, value: ["a [redacted]", "b"] });
});

const SECRET = "7301-9942-5516-0083";
const SECRETS = redaction("secrets", { patterns: ["####-####-####-####"] });
const noise = fc.string({ unit: fc.constantFrom("a", " ", "\n", '"', "\\", "{", "[", ",", "é", "😀"), maxLength: 12 });

/** Messages that contain a given text, by different authors and in different forms. */
const holder = fc.constantFrom<(text: string) => ChatMessage>(
  (text) => say("user", text),
  (text) => say("assistant", text),
  (text) => say("assistant", renderCanonicalJson({ source: "a summary", content: text })),
  (text) => result("a.b", renderCanonicalJson({ text })),
  (text) => result("a.b", renderCanonicalJson({ rows: [{ [text]: [text] }] })),
  (text) => result("a.b", renderCanonicalJson({ text: renderCanonicalJson({ deep: text }) })),
  (text) => result("a.b", text, "executionError"),
  (text) => call("a.b", renderCanonicalJson({ list: [{ text }] })),
  (text) => call("a.b", `{"text":${JSON.stringify(text)}`),
  (text) => call(text, "{}"),
);

test("property: no text that matches a pattern reaches the backend from any part of the conversation", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(holder, noise, noise, fc.boolean()), { minLength: 1, maxLength: 6 }), (parts) => {
      const messages = parts.map(([hold, before, after, isSecret]) =>
        hold(`${before}${isSecret ? SECRET : "x"}${after}`),
      );
      const redacted = redact([SECRETS], ...messages);
      expect(JSON.stringify(redacted.messages)).not.toMatch(/7301|9942|5516|0083/);
      expect(places(redacted)[0] ?? 0).toBeGreaterThanOrEqual(parts.filter(([, , , isSecret]) => isSecret).length);
    }),
    { numRuns: 300 },
  );
});

test("property: no text that matches a pattern reaches the backend, however messages without calls split it", () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(SECRET.length), { maxLength: 5 }),
      fc.constantFrom<ChatMessage["role"][]>(["user"], ["assistant"], ["user", "assistant"]),
      (cuts, roles) => {
        const ends = [0, ...cuts.toSorted((one, other) => one - other), SECRET.length];
        const parts = ends.slice(1).map((end, index) => SECRET.slice(ends[index], end));
        const messages = parts.map((part, index) => say(roles[index % roles.length] ?? "user", part));
        const redacted = redact([SECRETS], say("user", "it is "), ...messages, say("user", " there"));
        expect(redacted.messages.map(({ content }) => content).join("")).toMatch(/^it is (?:\[redacted\])+ there$/);
        expect(places(redacted)).toEqual([1]);
      },
    ),
    { numRuns: 200 },
  );
});

/** A text field of a request, with a function that puts a text there. */
interface TextField {
  readonly path: string;
  readonly plant: (text: string) => unknown;
}

/** Returns each text field and each byte field in a type, as the wire schema lists them. */
function listTexts(type: FieldType, path: string): readonly TextField[] {
  switch (type.kind) {
    case "text":
    case "data":
      return [{ path, plant: (text) => (type.kind === "text" ? text : Buffer.from(text)) }];
    case "list":
      return listTexts(type.element, `${path}[]`).map((one) => ({ ...one, plant: (text) => [one.plant(text)] }));
    case "struct":
      return listTextsOf(type.layout(), `${path}.`);
    case "group":
    case "interface":
      throw new Error(`${path}: say here how it is searched`);
    default:
      return [];
  }
}

function listTextsOf(layout: StructLayout<unknown>, path: string): readonly TextField[] {
  const { fields, union } = layout.shape();
  if (union !== undefined) throw new Error(`${path}: say here how it is searched`);
  const blank = createBlank(layout) as object;
  return fields.flatMap(({ name, type }) =>
    listTexts(type, path + name).map((one) => ({ ...one, plant: (text) => ({ ...blank, [name]: one.plant(text) }) })),
  );
}

/**
 * Redaction does not search the nonce, because only a nonce that equals one of the gate's is accepted, before any text
 * is used.
 */
const NOT_A_TEXT = ["nonce"];
const TEXTS = listTextsOf(InferenceRequest, "").filter(({ path }) => !NOT_A_TEXT.includes(path));

test("the text fields in the wire schema are those that redaction searches", () => {
  expect(TEXTS.map(({ path }) => path)).toEqual([
    ...["messages[].content", "messages[].toolCallId"],
    ...["messages[].toolCalls[].id", "messages[].toolCalls[].name", "messages[].toolCalls[].arguments"],
    ...["tools[].name", "tools[].description", "tools[].methodName", "tools[].paramSchema", "tools[].category"],
    ...["stopSequences[]", "responseSchema"],
  ]);
});

const inJson = fc.constantFrom<(text: string) => string>(
  (text) => text,
  (text) => JSON.stringify(text),
  (text) => renderCanonicalJson({ type: "object", properties: { [text]: { enum: ["type", text] } } }),
  (text) => renderCanonicalJson({ deep: renderCanonicalJson([{ description: text }]) }),
  (text) => `{"cut":"${text}`,
);

test("property: no text that matches a pattern leaves the worker in any text field of a request", () => {
  fc.assert(
    fc.property(fc.constantFrom(...TEXTS), inJson, noise, noise, ({ plant }, wrap, before, after) => {
      const redacted = redactRequest([SECRETS], plant(wrap(`${before}${SECRET}${after}`)) as InferenceRequest);
      if (!redacted.ok) return;
      const { request, masked } = redacted.value;
      expect(JSON.stringify(request, (_, value) => (typeof value === "bigint" ? "" : value))).not.toMatch(
        /7301|9942|5516|0083/,
      );
      expect(masked[0]?.places).toBeGreaterThan(0);
    }),
    { numRuns: 500 },
  );
});

test.each(TEXTS.map(({ path, plant }) => [path, plant] as const))(
  "without a match, a request with text in %s is unchanged",
  (_, plant) => {
    const request = plant('{"type":"object"}') as InferenceRequest;
    expect(redactRequest([SECRETS, FIELD], request)).toMatchObject({ ok: true, value: { request } });
  },
);

const NOT_SENT = {
  ok: false,
  reason:
    "a stop sequence or the responseSchema holds text that the page masks for this backend, and the request was not sent",
};

test.each<[string, Partial<InferenceRequest>]>([
  ["a stop sequence", { stopSequences: [`x ${CARD}`] }],
  ["stop sequences together", { stopSequences: ["4111 1111 ", "1111 1111"] }],
  ["a name of the schema", { responseSchema: `{"properties":{"${CARD}":{}}}` }],
  ["a number of the schema", { responseSchema: '{"maxLength":4111111111111111}' }],
  ["a schema that is not JSON", { responseSchema: `{"enum":["${CARD}"` }],
  ["a schema whose escapes hide it", { responseSchema: '{"enum":["4111\\u00201111 1111 1111"]}' }],
])("a request is not sent if %s contains text that must be masked", (_, changes) => {
  expect(redactRequest([CARDS], { ...REQUEST, ...changes })).toEqual(NOT_SENT);
});

test("refuses a request with a masked field's value in a stop sequence or a schema's texts, but not in schema keywords", () => {
  const ask = (iban: string, changes: Partial<InferenceRequest>) =>
    redactRequest([FIELD], { ...REQUEST, messages: [call("bank.pay", JSON.stringify({ iban }))], ...changes });
  const schema = (option: string) => ({ responseSchema: `{"type":"string","enum":["${option}"]}` });
  expect(ask("DE89-3704", schema("DE89-3704"))).toEqual(NOT_SENT);
  expect(ask("DE89-3704", { stopSequences: ["to DE89-3704"] })).toEqual(NOT_SENT);
  expect(ask("string", schema("other")).ok).toBe(true);
});

test("masks matches of a pattern in a tool's descriptions, but not an argument name that equals a masked value", () => {
  const tool = {
    ...{ name: "a.b", description: `like ${CARD}`, interfaceId: 1n, methodName: "b", permission: "auto" as const },
    ...{ paramSchema: `{"properties":{"content":{"description":"${CARD}"}},"type":"object"}`, category: "readOnly" },
  };
  const asked = { ...REQUEST, messages: [call("bank.pay", '{"iban":"content"}')], tools: [tool] };
  const redacted = redactRequest([CARDS, FIELD], asked);
  expect(redacted.ok && redacted.value).toMatchObject({
    request: {
      tools: [
        {
          ...tool,
          description: "like [redacted]",
          paramSchema: '{"properties":{"content":{"description":"[redacted]"}},"type":"object"}',
        },
      ],
    },
    masked: [
      { redaction: "cards", places: 2 },
      { redaction: "ids", places: 1 },
    ],
  });
});
