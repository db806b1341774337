// Tests output of careless and hostile servers: a call that ran ends with its answer, and the server continues.
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { computeToolListDigest } from "../../../../lib/policy/index.ts";
import type { Param, Type } from "../../../../lib/wire/generated/policy.ts";
import { AccompaniedAnswer, UnfitAnswer } from "../program.ts";
import { createClient } from "./client.ts";
import type { UnreadableLine } from "./lines.ts";

const TOOLS = [{ name: "say", inputSchema: { type: "object" } }];
const text: Type = { which: "text", text: { maxBytes: 0 } };
const param = (name: string, type: Type, required = true): Param => ({ name, type, required });
const TEXT = [param("text", text)];
const COUNT = [param("count", { which: "integer", integer: { low: 0n, high: 9n } }), param("note", text, false)];
const never = new AbortController().signal;
const passes = () => new Promise(setImmediate);

/** Returns a client, its messages, and a function that writes bytes as the server. */
function connected(version: unknown = "2025-06-18", before = "") {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const skipped: UnreadableLine[] = [];
  const client = createClient(input, output, computeToolListDigest(TOOLS), (line) => skipped.push(line));
  const write = (bytes: string | Uint8Array) => void output.write(bytes);
  const answers = new Map<string, (id: number) => void>([
    [
      "initialize",
      (id) => write(`${before}${JSON.stringify({ jsonrpc: "2.0", id, result: { protocolVersion: version } })}\n`),
    ],
    ["tools/list", (id) => write(`${JSON.stringify({ jsonrpc: "2.0", id, result: { tools: TOOLS } })}\n`)],
  ]);
  const heard: string[] = [];
  input.on("data", (piece: Buffer) => {
    for (const line of String(piece).trim().split("\n")) {
      const { id, method } = JSON.parse(line);
      heard.push(line);
      answers.get(method)?.(id);
    }
  });
  const onCall = (answer: (id: number) => void) => answers.set("tools/call", answer);
  return { client, write, skipped, heard, onCall };
}

/** Returns the result of a call to which the server responds with these bytes, and checks that a later call works. */
async function told(bytes: (id: number) => string | Uint8Array, results: readonly Param[] = TEXT): Promise<unknown> {
  const { client, write, onCall } = connected();
  expect(await client.open()).toBeUndefined();
  onCall((id) => write(bytes(id)));
  const answer = await client.call({ name: "say", results }, {}, never);
  onCall((id) => write(`${JSON.stringify({ id, result: { content: [{ type: "text", text: "next" }] } })}\n`));
  expect(await client.call({ name: "say", results: TEXT }, {}, never)).toEqual({ ok: true, value: { text: "next" } });
  if (!answer.ok) return answer;
  const { value } = answer;
  if (value instanceof UnfitAnswer) return JSON.parse(value.renderAnswer({ readOnly: true }));
  return value instanceof AccompaniedAnswer ? JSON.parse(value.renderAnswer()) : value;
}

const result = (value: unknown) => (id: number) => `${JSON.stringify({ jsonrpc: "2.0", id, result: value })}\n`;
const content = (...parts: unknown[]) => result({ content: parts });
const said = (words: string) => ({ type: "text", text: words });

test.each<readonly [string, (id: number) => string, unknown]>([
  [
    "an object without a result schema",
    result({ content: [], structuredContent: { runs: 3 } }),
    { text: '{"runs":3}' },
  ],
  [
    "an object and its text",
    result({ content: [said('{ "runs": 3 }')], structuredContent: { runs: 3 } }),
    { text: '{ "runs": 3 }' },
  ],
  [
    "an object and another text",
    result({ content: [said("done")], structuredContent: { runs: 3 } }),
    { text: 'done\n{"runs":3}' },
  ],
  [
    "an embedded text",
    content(said("ok"), { type: "resource", resource: { uri: "a:b", text: "all of it" } }),
    { text: "ok\nall of it" },
  ],
  [
    "embedded bytes",
    content({ type: "resource", resource: { uri: "a:b", blob: "AAAA" } }),
    { text: '[left out: resource "a:b", 3 bytes]' },
  ],
  ["a link", content({ type: "resource_link", uri: "file:///a", name: "a" }), { text: '[link "a" "file:///a"]' }],
  [
    "a picture",
    content({ type: "image", mimeType: "image/png", data: "AAA=" }),
    { text: '[left out: image "image/png", 2 bytes]' },
  ],
  ["a sound", content({ type: "audio", data: "" }), { text: "[left out: audio, 0 bytes]" }],
  [
    "an unknown kind of content",
    content({ type: "smell\n", of: "roses" }),
    { text: '[left out: content of the kind "smell\\n"]' },
  ],
  ["content without a kind", content({}), { text: "[left out: content of the kind that it does not say]" }],
  ["a plain text", result({ content: "plain" }), { text: "plain" }],
  ["an empty result", result({}), { text: "" }],
  ["a list instead of a result", result([1, null]), { text: "[1,null]" }],
  ["null", result(null), { text: "null" }],
  [
    "a lone surrogate",
    (id) => `{"id":${id},"result":{"content":[{"type":"text","text":"a\\ud800b"}]}}\n`,
    { text: "a\ufffdb" },
  ],
  [
    "a number beyond 2^53",
    (id) => `{"id":${id},"result":{"structuredContent":{"id":12345678901234567890}}}\n`,
    { text: '{"id":12345678901234567890}' },
  ],
  ["a repeated name", (id) => `{"id":${id},"result":{"structuredContent":{"a":1,"a":2}}}\n`, { text: '{"a":1,"a":2}' }],
])("a tool that answers %s counts as run, and its answer is returned as text", async (_, bytes, answer) => {
  expect(await told(bytes)).toEqual(answer);
});

test.each<readonly [string, (id: number) => string, unknown]>([
  ["a fitting object", result({ structuredContent: { count: 3 } }), { count: 3 }],
  [
    "a fitting object and its text",
    result({ structuredContent: { count: 3 }, content: [said('{ "count": 3 }')] }),
    { count: 3 },
  ],
  [
    "a fitting object and another text",
    result({ structuredContent: { count: 3 }, content: [said("three"), said('{"count":3}')] }),
    [{ count: 3 }, "three"],
  ],
  [
    "a fitting object and a picture",
    result({ structuredContent: { count: 3 }, content: [{ type: "image", mimeType: "image/png", data: "AAAA" }] }),
    [{ count: 3 }, '[left out: image "image/png", 3 bytes]'],
  ],
  ["null for an optional field", result({ structuredContent: { count: 3, note: null } }), { count: 3 }],
  [
    "an additional field",
    result({ structuredContent: { count: 3, runs: 1 } }),
    /^\[it ran, .*: runs is not a result of this tool\]\n\{"count":3,"runs":1\}$/,
  ],
  [
    "a field of another type",
    result({ structuredContent: { count: "3" } }),
    /^\[it ran, .*: count is not an integer\]\n\{"count":"3"\}$/,
  ],
  ["a text only", content(said("three")), /^\[it ran, .*: it has no `structuredContent`\]\nthree$/],
  ["a list", result({ structuredContent: [3] }), /^\[it ran, .*: it is not an object\]\n\[3\]$/],
  [
    "an unreadable field",
    (id) => `{"id":${id},"result":{"structuredContent":{"count":3,"note":1e999}}}\n`,
    /^\[it ran, .*\]\n\{"count":3,"note":1e999\}$/,
  ],
])("a tool with a result schema that answers %s counts as run", async (_, bytes, answer) => {
  const value = await told(bytes, COUNT);
  if (answer instanceof RegExp) expect(value).toMatch(answer);
  else expect(value).toEqual(answer);
});

test("an object that the strict parser refuses becomes a text with the reason, not an empty object", async () => {
  const box = [param("box", { which: "record", record: [] })];
  expect(await told(result({ structuredContent: { box: {} } }), box)).toEqual({ box: {} });
  const doubled = (id: number) => `{"id":${id},"result":{"structuredContent":{"box":{"a":1,"a":2}}}}\n`;
  expect(await told(doubled, box)).toMatch(/^\[it ran, .*not acceptable JSON\]\n\{"box":\{"a":1,"a":2\}\}$/);
});

test("replaces a large picture by its name, and returns the text beside it", async () => {
  const picture = { type: "image", mimeType: "image/png", data: "A".repeat(2_800_000) };
  expect(await told(content(said("before"), picture, said("behind")))).toEqual({
    text: 'before\n[left out: image "image/png", 2100000 bytes]\nbehind',
  });
});

test("a long text keeps its beginning, in whole characters, with a mark at the cut", async () => {
  const [start, long] = ["x".repeat(32_757), "\u{1f600}".repeat(200_000)];
  const escaped = JSON.stringify(long).replace(/\p{Emoji_Presentation}/gu, "\\ud83d\\ude00");
  const bytes = (id: number) =>
    `{"result":{"content":[{"type":"text","text":"${start}${escaped.slice(1)}}]},"jsonrpc":"2.0","id":${id}}\n`;
  expect(await told(bytes)).toEqual({ text: `${start} [cut: ${200_000 * 12} more bytes]` });
});

test.each<readonly [string, (id: number) => string, RegExp]>([
  [
    "is malformed JSON, its id first",
    (id) => `{"jsonrpc":"2.0","id":${id},"result":{"score":NaN}}\n`,
    /^\[it ran, .*what is no JSON.*\]\n\{.*NaN\}\}/,
  ],
  [
    "is malformed JSON, its id last",
    (id) => `{"result":{"score":NaN},"jsonrpc":"2.0","id":${id}}\n`,
    /^\[it ran, .*what is no JSON.*\]\n\{.*NaN/,
  ],
  [
    "has too many parts",
    (id) => `{"result":{"content":[${Array(90_000).fill('{"type":"image"}').join()}]},"jsonrpc":"2.0","id":${id}}\n`,
    /^\[it ran, .*are not in long texts\]\n\{"result".* \[cut: \d+ more bytes\]$/,
  ],
])("an answer that %s is still assigned to its call", async (_, bytes, answer) => {
  expect(await told(bytes)).toMatch(answer);
});

test.each<readonly [string, (id: number) => string]>([
  ["an error that is not JSON", (id) => `{"jsonrpc":"2.0","id":${id},"error":{"code":NaN}}\n`],
  ["an error beside a result of null", (id) => `{"id":${id},"result":null,"error":{"message":"no"}}\n`],
  ["a tool's own error", result({ isError: true, content: [said("no")] })],
])("%s becomes the failure of the call", async (_, bytes) => {
  expect(await told(bytes)).toMatchObject({ ok: false });
});

const FINE = content(said("fine"));
test.each<readonly [string, (id: number) => string | Uint8Array]>([
  ["a log line", (id) => `starting…\n[info] 3 rows\n{not json}\n${FINE(id)}`],
  ["empty lines", (id) => `\n\r\n  \n${FINE(id)}\n`],
  ["Windows line ends", (id) => FINE(id).replace("\n", "\r\n")],
  ["a byte order mark", (id) => `\ufeff${FINE(id)}`],
  ["a batch", (id) => `[${FINE(9999).trim()},${FINE(id).trim()},7]\n`],
  ["unexpected notifications", (id) => `{"method":"notifications/progress","params":{}}\n{"method":"x"}\n${FINE(id)}`],
  ["unsolicited answers", (id) => `${FINE(9999)}${FINE(id)}${content(said("late"))(id)}`],
  [
    "an overlong request with the call's id",
    (id) => `{"id":${id},"method":"roots/list","params":[${"1,".repeat(300_000)}1]}\n${FINE(id)}`,
  ],
  ["bytes that are not UTF-8", (id) => Buffer.concat([Buffer.from([0xff, 0xfe, 10]), Buffer.from(FINE(id))])],
  ["a long log line", (id) => `${"x".repeat(900_000)}\n${FINE(id)}`],
])("%s on standard output does not end the server", async (_, bytes) => {
  expect(await told(bytes)).toEqual({ text: "fine" });
});

test("a line that arrives in small pieces is parsed as one line", async () => {
  const { client, write, onCall } = connected();
  await client.open();
  const line = Buffer.from(content(said("é\u{1f600}"), { type: "image", data: "A".repeat(600_000) })(3));
  onCall(() => {
    for (let at = 0; at < line.length; at += 997) write(line.subarray(at, at + 997));
  });
  const answer = await client.call({ name: "say", results: TEXT }, {}, never);
  expect(answer).toEqual({ ok: true, value: { text: "é\u{1f600}\n[left out: image, 450000 bytes]" } });
});

test("reports the beginning of each skipped line", async () => {
  const { client, skipped } = connected("2025-06-18", "Server ready\n[]\n3\n");
  expect(await client.open()).toBeUndefined();
  expect(skipped.map(({ reason, text: begun }) => [reason.slice(0, 28), begun])).toEqual([
    ["it writes what is no JSON: a", "Server ready"],
    ["it writes JSON that is no me", "3"],
  ]);
});

test.each(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])(
  "accepts a server that chooses version %s of the protocol",
  async (version) => {
    expect(await connected(version).client.open()).toBeUndefined();
  },
);

test.each<readonly [unknown, string]>([
  ["1999-01-01", '"1999-01-01"'],
  ["2026-06-18-draft", '"2026-06-18-draft"'],
  ["", '""'],
  [null, "none"],
  [20_250_618, "none"],
])("refuses a server that chooses version %s of the protocol, and sends it nothing more", async (version, words) => {
  const { client, heard } = connected(version);
  expect(await client.open()).toMatch(new RegExp(`^it does not begin: it speaks version ${words} of the protocol`));
  await passes();
  expect(heard.map((line) => JSON.parse(line).method)).toEqual(["initialize"]);
});

test("requests version 2025-06-18", async () => {
  const { client, heard } = connected();
  await client.open();
  expect(JSON.parse(heard[0] ?? "{}").params.protocolVersion).toBe("2025-06-18");
});
