// Output of sloppy and hostile servers: a call that ran ends with its answer, and the server remains.
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

/** Messages of the client, and a way to write bytes as the server. */
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

/** Returns the result of a call to which the server responds with these bytes; checks that a next call works. */
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
    "structure of a tool that describes none",
    result({ content: [], structuredContent: { runs: 3 } }),
    { text: '{"runs":3}' },
  ],
  [
    "structure and its text",
    result({ content: [said('{ "runs": 3 }')], structuredContent: { runs: 3 } }),
    { text: '{ "runs": 3 }' },
  ],
  [
    "structure and other text",
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
    "a kind of tomorrow",
    content({ type: "smell\n", of: "roses" }),
    { text: '[left out: content of the kind "smell\\n"]' },
  ],
  ["no kind", content({}), { text: "[left out: content of the kind that it does not say]" }],
  ["a text alone", result({ content: "plain" }), { text: "plain" }],
  ["nothing", result({}), { text: "" }],
  ["no object", result([1, null]), { text: "[1,null]" }],
  ["null", result(null), { text: "null" }],
  [
    "half a character",
    (id) => `{"id":${id},"result":{"content":[{"type":"text","text":"a\\ud800b"}]}}\n`,
    { text: "a\ufffdb" },
  ],
  [
    "a number beyond 2^53",
    (id) => `{"id":${id},"result":{"structuredContent":{"id":12345678901234567890}}}\n`,
    { text: '{"id":12345678901234567890}' },
  ],
  ["a name twice", (id) => `{"id":${id},"result":{"structuredContent":{"a":1,"a":2}}}\n`, { text: '{"a":1,"a":2}' }],
])("a call that answers %s has run, and is reported as text", async (_, bytes, answer) => {
  expect(await told(bytes)).toEqual(answer);
});

test.each<readonly [string, (id: number) => string, unknown]>([
  ["what fits", result({ structuredContent: { count: 3 } }), { count: 3 }],
  [
    "what fits and its text",
    result({ structuredContent: { count: 3 }, content: [said('{ "count": 3 }')] }),
    { count: 3 },
  ],
  [
    "what fits and other text",
    result({ structuredContent: { count: 3 }, content: [said("three"), said('{"count":3}')] }),
    [{ count: 3 }, "three"],
  ],
  [
    "what fits and a picture",
    result({ structuredContent: { count: 3 }, content: [{ type: "image", mimeType: "image/png", data: "AAAA" }] }),
    [{ count: 3 }, '[left out: image "image/png", 3 bytes]'],
  ],
  ["null for what is optional", result({ structuredContent: { count: 3, note: null } }), { count: 3 }],
  [
    "a member more",
    result({ structuredContent: { count: 3, runs: 1 } }),
    /^\[it ran, .*: runs is not a result of this tool\]\n\{"count":3,"runs":1\}$/,
  ],
  [
    "another type",
    result({ structuredContent: { count: "3" } }),
    /^\[it ran, .*: count is not an integer\]\n\{"count":"3"\}$/,
  ],
  ["text alone", content(said("three")), /^\[it ran, .*: it has no `structuredContent`\]\nthree$/],
  ["a list", result({ structuredContent: [3] }), /^\[it ran, .*: it is not an object\]\n\[3\]$/],
  [
    "a part that cannot be read",
    (id) => `{"id":${id},"result":{"structuredContent":{"count":3,"note":1e999}}}\n`,
    /^\[it ran, .*\]\n\{"count":3,"note":1e999\}$/,
  ],
])("a tool that describes its results and answers %s has run", async (_, bytes, answer) => {
  const value = await told(bytes, COUNT);
  if (answer instanceof RegExp) expect(value).toMatch(answer);
  else expect(value).toEqual(answer);
});

test("a part that strict reading refuses does not pass for an empty object", async () => {
  const box = [param("box", { which: "record", record: [] })];
  expect(await told(result({ structuredContent: { box: {} } }), box)).toEqual({ box: {} });
  const doubled = (id: number) => `{"id":${id},"result":{"structuredContent":{"box":{"a":1,"a":2}}}}\n`;
  expect(await told(doubled, box)).toMatch(/^\[it ran, .*not acceptable JSON\]\n\{"box":\{"a":1,"a":2\}\}$/);
});

test("a picture of megabytes is named, and the text beside it is told", async () => {
  const picture = { type: "image", mimeType: "image/png", data: "A".repeat(2_800_000) };
  expect(await told(content(said("before"), picture, said("behind")))).toEqual({
    text: 'before\n[left out: image "image/png", 2100000 bytes]\nbehind',
  });
});

test("a long text keeps its beginning, in whole characters, and says what is missing", async () => {
  const [start, long] = ["x".repeat(32_757), "\u{1f600}".repeat(200_000)];
  const escaped = JSON.stringify(long).replace(/\p{Emoji_Presentation}/gu, "\\ud83d\\ude00");
  const bytes = (id: number) =>
    `{"result":{"content":[{"type":"text","text":"${start}${escaped.slice(1)}}]},"jsonrpc":"2.0","id":${id}}\n`;
  expect(await told(bytes)).toEqual({ text: `${start} [cut: ${200_000 * 12} more bytes]` });
});

test.each<readonly [string, (id: number) => string, RegExp]>([
  [
    "is not JSON, its id first",
    (id) => `{"jsonrpc":"2.0","id":${id},"result":{"score":NaN}}\n`,
    /^\[it ran, .*what is no JSON.*\]\n\{.*NaN\}\}/,
  ],
  [
    "is not JSON, its id last",
    (id) => `{"result":{"score":NaN},"jsonrpc":"2.0","id":${id}}\n`,
    /^\[it ran, .*what is no JSON.*\]\n\{.*NaN/,
  ],
  [
    "has too many parts",
    (id) => `{"result":{"content":[${Array(90_000).fill('{"type":"image"}').join()}]},"jsonrpc":"2.0","id":${id}}\n`,
    /^\[it ran, .*are not in long texts\]\n\{"result".* \[cut: \d+ more bytes\]$/,
  ],
])("an answer that %s belongs to its call all the same", async (_, bytes, answer) => {
  expect(await told(bytes)).toMatch(answer);
});

test.each<readonly [string, (id: number) => string]>([
  ["an error that is not JSON", (id) => `{"jsonrpc":"2.0","id":${id},"error":{"code":NaN}}\n`],
  ["an error beside a result of null", (id) => `{"id":${id},"result":null,"error":{"message":"no"}}\n`],
  ["what the tool itself calls an error", result({ isError: true, content: [said("no")] })],
])("%s is the call's failure", async (_, bytes) => {
  expect(await told(bytes)).toMatchObject({ ok: false });
});

const FINE = content(said("fine"));
test.each<readonly [string, (id: number) => string | Uint8Array]>([
  ["a line of its log", (id) => `starting…\n[info] 3 rows\n{not json}\n${FINE(id)}`],
  ["empty lines", (id) => `\n\r\n  \n${FINE(id)}\n`],
  ["lines that end as on Windows", (id) => FINE(id).replace("\n", "\r\n")],
  ["a byte order mark", (id) => `\ufeff${FINE(id)}`],
  ["a batch", (id) => `[${FINE(9999).trim()},${FINE(id).trim()},7]\n`],
  ["news at odd times", (id) => `{"method":"notifications/progress","params":{}}\n{"method":"x"}\n${FINE(id)}`],
  ["answers that nobody asked for", (id) => `${FINE(9999)}${FINE(id)}${content(said("late"))(id)}`],
  [
    "a question with the call's number, too long to be read",
    (id) => `{"id":${id},"method":"roots/list","params":[${"1,".repeat(300_000)}1]}\n${FINE(id)}`,
  ],
  ["bytes that are not UTF-8", (id) => Buffer.concat([Buffer.from([0xff, 0xfe, 10]), Buffer.from(FINE(id))])],
  ["a long line of its log", (id) => `${"x".repeat(900_000)}\n${FINE(id)}`],
])("%s on standard output ends nothing", async (_, bytes) => {
  expect(await told(bytes)).toEqual({ text: "fine" });
});

test("bytes that arrive one by one are the same line", async () => {
  const { client, write, onCall } = connected();
  await client.open();
  const line = Buffer.from(content(said("é\u{1f600}"), { type: "image", data: "A".repeat(600_000) })(3));
  onCall(() => {
    for (let at = 0; at < line.length; at += 997) write(line.subarray(at, at + 997));
  });
  const answer = await client.call({ name: "say", results: TEXT }, {}, never);
  expect(answer).toEqual({ ok: true, value: { text: "é\u{1f600}\n[left out: image, 450000 bytes]" } });
});

test("each line that is skipped is reported, with its beginning", async () => {
  const { client, skipped } = connected("2025-06-18", "Server ready\n[]\n3\n");
  expect(await client.open()).toBeUndefined();
  expect(skipped.map(({ reason, text: begun }) => [reason.slice(0, 28), begun])).toEqual([
    ["it writes what is no JSON: a", "Server ready"],
    ["it writes JSON that is no me", "3"],
  ]);
});

test.each(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])(
  "a server that chooses version %s is spoken with",
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
])("a server that chooses version %s is left, and is told nothing more", async (version, words) => {
  const { client, heard } = connected(version);
  expect(await client.open()).toMatch(new RegExp(`^it does not begin: it speaks version ${words} of the protocol`));
  await passes();
  expect(heard.map((line) => JSON.parse(line).method)).toEqual(["initialize"]);
});

test("this side asks for version 2025-06-18", async () => {
  const { client, heard } = connected();
  await client.open();
  expect(JSON.parse(heard[0] ?? "{}").params.protocolVersion).toBe("2025-06-18");
});
