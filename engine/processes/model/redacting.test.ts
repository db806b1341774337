import fc from "fast-check";
import { expect, test } from "vitest";
import { renderCanonicalJson } from "../../lib/policy/index.ts";
import type { ChatMessage } from "../../lib/wire/generated/capos.ts";
import type { Saying } from "../../lib/wire/generated/conversations.ts";
import type { Redaction } from "../../lib/wire/generated/policy.ts";
import { convertToMessage, createRecalledMessage } from "../loop/messages.ts";
import { redactMessages, redactTexts } from "./redacting.ts";

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

function redact(redactions: readonly Redaction[], ...messages: readonly ChatMessage[]) {
  const redacted = redactMessages(redactions, messages);
  if (!redacted.ok) throw new Error(redacted.reason);
  return redacted.value;
}

const places = ({ masked }: ReturnType<typeof redact>) => masked.map((one) => one.places);

test("without redactions a request stays what it is", () => {
  const messages = [say("user", CARD)];
  expect(redact([], ...messages)).toEqual({ messages, masked: [] });
});

test("a request in which nothing is masked stays the same to the byte", () => {
  const odd = [
    say("user", ' { "b":1, "a" : 2 } '),
    call("a.b", '{"z":1.0, "a":[ ]}'),
    result("a.b", '{"z":1}'),
    say("user", "["),
  ];
  expect(redact([CARDS], ...odd)).toEqual({ messages: odd, masked: [{ redaction: "cards", places: 0 }] });
});

test.each<[string, ChatMessage, string]>([
  ["typed words", say("user", `pay with ${CARD} now`), "pay with [redacted] now"],
  ["an answer", say("assistant", `${CARD}, ${CARD}`), "[redacted], [redacted]"],
  ["the system prompt", say("system", CARD), "[redacted]"],
  ["JSON that a person typed", say("user", `{"a": "${CARD}", "b": [1, "x"]}`), '{"a":"[redacted]","b":[1,"x"]}'],
  ["a number", say("user", '{"a": 4111111111111111}'), '{"a":"[redacted]"}'],
  ["a name in JSON", say("user", `{"${CARD}": 1}`), '{"[redacted]":1}'],
  ["escapes", say("user", '"4111\\u00201111 1111 1111"'), '"[redacted]"'],
])("a pattern is masked in %s", (_, message, expected) => {
  expect(redact([CARDS], message).messages[0]?.content).toBe(expected);
});

test("a pattern is masked in results, however deep its JSON lies, and in errors", () => {
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

test("a pattern is masked in arguments, in names of tools and in ids of calls", () => {
  const { messages, masked } = redact([CARDS], call(CARD, `{"a":"${CARD}"}`, "4111111111111111"));
  expect(messages[0]?.toolCalls).toEqual([{ id: "[redacted]", name: "[redacted]", arguments: '{"a":"[redacted]"}' }]);
  expect(masked).toEqual([{ redaction: "cards", places: 3 }]);
});

test("arguments that are not JSON, and results that were cut, are masked whole if escapes hide a match", () => {
  const broken = redact([CARDS], call("a.b", '{"a":"4111\\u00201111 1111 1111"'));
  expect(broken.messages[0]?.toolCalls[0]?.arguments).toBe('{"redacted":"[redacted]"}');
  expect(redact([CARDS], call("a.b", `{"a":"${CARD}`)).messages[0]?.toolCalls[0]?.arguments).toBe('{"a":"[redacted]');
  const hidden = redact(
    [redaction("lines", { patterns: ['a"b"c'] })],
    say("tool", '{"content":"{\\"x\\":\\"a\\\\\\"b\\\\\\"c'),
  );
  expect(hidden.messages[0]?.content).toBe("[redacted]");
});

test("the rest of a match at a cut is masked", () => {
  const cut = redact([CARDS], say("user", `${CARD.slice(0, 12)} [cut: 7 more characters]`));
  expect(cut.messages[0]?.content).toBe("[redacted] [cut: 7 more characters]");
  const bytes = redact([CARDS], result("a.b", `{"text":"x ${CARD.slice(0, 6)} [cut: 900 more bytes]"}`));
  expect(JSON.stringify(bytes)).not.toContain("4111");
});

test("fields of results and arguments are masked, and what they held wherever it stands", () => {
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
  ["that was cut", result("bank.list", '{"rows":[{"iban":"DE89-37 [cut: 12 more bytes]')],
  ["that is a text", result("bank.list", '{"text":"[it ran, and its answer cannot be used]\\nDE89-3704"}')],
  ["with a text behind it", result("bank.list", '{"rows":[{"iban":"DE89-3704"}]}\n"DE89-3704"')],
  ["in a text that is JSON", result("bank.list", '{"rows":"[{\\"iban\\":\\"DE89-3704\\"}]"}')],
  ["in a text that was JSON", result("bank.list", '{"rows":"[{\\"iban\\":\\"DE89-37"}')],
  ["of a program's failure", result("bank.list", "no such account DE89-3704", "executionError")],
  ["that does not come as the loop gives it", say("tool", "DE89-3704")],
  ["under another source, for the call's id", result("other.tool", '{"rows":[{"iban":"DE89-3704"}]}')],
  ["of arguments that are not JSON", call("bank.pay", '{"iban":"DE89-3704"', "c2")],
  [
    "that is shown once more",
    createRecalledMessage({ ...SAYING, text: '{"rows":[{"iban":"DE89-3704"}]}', source: "bank.list" }),
  ],
])("no field gets through in a result %s", (_, message) => {
  const asked = { ...message, toolCallId: message.role === "tool" ? "c1" : "" };
  const redacted = redact([FIELD], call("bank.list", "{}"), asked);
  expect(JSON.stringify(redacted.messages)).not.toContain("DE89");
  expect(places(redacted)[0]).toBeGreaterThan(0);
});

test("a gate's text about a refused call is not masked", () => {
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

test("a conversation that cannot be searched in time is not sent", () => {
  const hard = redaction("hard", { patterns: Array.from({ length: 32 }, () => "#".repeat(128)) });
  const refused = redactMessages([hard], [say("user", "1".repeat(200_000))]);
  expect(refused).toEqual({
    ok: false,
    reason: "the conversation is too long to be searched for what the page masks, and was not sent",
  });
  expect(redactMessages([redaction("bad", { patterns: ["??"] })], [say("user", "a")]).ok).toBe(false);
});

test("texts that are counted are masked like messages", () => {
  expect(redactTexts([CARDS], [`a ${CARD}`, "b"])).toEqual({ ok: true, value: ["a [redacted]", "b"] });
});

const SECRET = "7301-9942-5516-0083";
const SECRETS = redaction("secrets", { patterns: ["####-####-####-####"] });
const noise = fc.string({ unit: fc.constantFrom("a", " ", "\n", '"', "\\", "{", "[", ",", "é", "😀"), maxLength: 12 });

/** Places for a text in a conversation, by who says it. */
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

test("law: no text of a pattern reaches the backend, wherever in the conversation it stands", () => {
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

test("law: however plain messages split a text of a pattern, none of it reaches the backend", () => {
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
