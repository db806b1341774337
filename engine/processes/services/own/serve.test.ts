import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { duplexPair } from "node:stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Type } from "../../../lib/wire/generated/policy.ts";
import type { ServiceMethods } from "../../../lib/wire/generated/service.ts";
import { connect } from "../../../lib/wire/index.ts";
import { loadProgram, shortenText } from "./program.ts";
import { serveOwn } from "./serve.ts";

const LEDGER = 0x1001n;
const text: Type = { which: "text", text: { maxBytes: 64 } };
const cents: Type = { which: "integer", integer: { low: 0n, high: 1000n } };
const param = (name: string, type: Type, required = true) => ({ name, type, required });

const METHODS: ServiceMethods = {
  schemaVersion: 1,
  toolList: new Uint8Array(),
  held: [],
  interfaceId: LEDGER,
  interfaceName: "ledger.Ledger",
  methods: [
    { ordinal: 0, name: "balance", readOnly: true, params: [param("account", text)], results: [param("cents", cents)] },
    { ordinal: 1, name: "pay", readOnly: false, params: [param("to", text), param("cents", cents)], results: [] },
  ],
};

let directory = "";

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "capos-own-"));
});

afterEach(() => rmSync(directory, { recursive: true }));

/** Returns the service's answer to one call as JSON, or the reason of the failure. */
async function called(program: string, method: number, args: object | string, stateBytes = 1024): Promise<unknown> {
  const loaded = await loadProgram(Buffer.from(program), METHODS);
  if (!loaded.ok) throw new Error(loaded.reason);
  const [here, there] = duplexPair();
  serveOwn(there, {
    interfaceId: LEDGER,
    interfaceName: "ledger.Ledger",
    methods: loaded.value,
    directory,
    stateBytes,
    now: () => 0,
  });
  const reply = await connect(here).callTool(LEDGER, method, typeof args === "string" ? args : JSON.stringify(args));
  return reply.ok ? JSON.parse(reply.value) : `${reply.code}: ${reply.reason}`;
}

const program = (balance: string, pay = "async () => ({})") => `export default { balance: ${balance}, pay: ${pay} };`;

test("a function gets its arguments as ordinary objects, and returns an object", async () => {
  const echo = program("async (args) => ({ cents: args.hasOwnProperty('account') ? args.account.length : 0 })");
  expect(await called(echo, 0, { account: "abc" })).toEqual({ cents: 3 });
  expect(await called(program("() => ({ cents: 1 })", "() => undefined"), 1, { to: "a", cents: 5 })).toEqual({});
});

test("a program keeps files in its directory between calls", async () => {
  const source = `import { readFile, writeFile } from "node:fs/promises";
    export default {
      balance: async (_, { directory }) => ({ cents: Number(await readFile(directory + "/cents", "utf8")) }),
      pay: async ({ cents }, { directory }) => { await writeFile(directory + "/cents", String(cents)); },
    };`;
  expect(await called(source, 1, { to: "a", cents: 7 })).toEqual({});
  expect(await called(source, 0, { account: "a" })).toEqual({ cents: 7 });
});

test.each<readonly [string, object | string, RegExp]>([
  ["of another type", { account: 1 }, /account is not a text/],
  ["that are missing", {}, /account is missing/],
  ["that are unknown", { account: "a", more: 1 }, /more is not an argument/],
  ["of malformed JSON", "{", /not acceptable JSON/],
])("arguments %s are not passed to the program", async (_, args, reason) => {
  const never = program("() => { throw new Error('reached') }");
  expect(await called(never, 0, args)).toMatch(reason);
});

test.each<readonly [string, string, string, string]>([
  ["an answer of another shape", "() => ({ cents: 'many' })", '{"cents":"many"}', "cents is not an integer"],
  ["an answer out of range", "() => ({ cents: 1001 })", '{"cents":1001}', "cents is not between 0 and 1000"],
  [
    "an answer with an unknown field",
    "() => ({ cents: 1, s: 2 })",
    '{"cents":1,"s":2}',
    "s is not a result of this tool",
  ],
  ["an answer without a field", "() => undefined", "{}", "cents is missing"],
  ["a list instead of an object", "() => [1]", "[1]", "it is not an object"],
  ["a text", "() => 'one\\ncent'", "one\ncent", "it is not an object"],
  ["a number beyond 2^53", "() => ({ cents: 2 ** 60 })", '{"cents":1152921504606847000}', "an integer is beyond 2^53"],
  ["a BigInt", "() => ({ cents: 1n })", "", "Do not know how to serialize a BigInt"],
  ["a function", "() => () => 1", "", "it is not JSON"],
  ["a circular object", "() => { const a = {}; a.a = a; return a }", "", "Converting circular structure"],
])(
  "if a program answers %s, the call has run and its answer becomes a text with the fault",
  async (_, balance, text, why) => {
    const told = await called(program(balance), 0, { account: "a" });
    const note = "[it ran, and its answer does not fit its interface: ";
    expect(typeof told).toBe("string");
    expect(told).toSatisfy((answer: string) => answer.startsWith(`${note}${why}`));
    expect(told).toSatisfy((answer: string) => answer.endsWith(text === "" ? "]" : `]\n${text}`));
  },
);

test("if an answer does not fit the tool's result, the text warns not to repeat a call that has an effect", async () => {
  const told = await called(program("() => ({ cents: 1 })", "() => ({ paid: 5 })"), 1, { to: "a", cents: 5 });
  expect(told).toBe(
    '[it ran, and its answer does not fit its interface; do not call it again for that: paid is not a result of this tool]\n{"paid":5}',
  );
});

test("replaces a lone surrogate in an answer, so that it can be sent", () => {
  expect(shortenText("a\ud800")).toBe("a\ufffd");
  expect(shortenText(`${"\ud800".repeat(10)}b`)).toBe(`${"\ufffd".repeat(10)}b`);
});

test("an answer that is too long keeps its first part", async () => {
  const told = await called(program("() => ({ cents: '\\u0001'.repeat(400000) })"), 0, { account: "a" });
  expect(told).toMatch(
    /^\[it ran, .*longer than 524288 bytes\]\n\{"cents":"(?:\\u0001)+\\?u?0* \[cut: \d+ more bytes\]$/,
  );
});

test.each<readonly [string, string, RegExp]>([
  ["a throw", "() => { throw new Error('no such\\naccount') }", /^failed: the program failed: no such account$/],
  ["a rejection with undefined", "() => Promise.reject()", /the program failed: undefined/],
  ["a long message", "() => { throw 'a'.repeat(30000) }", /^failed: the program failed: a{30000}$/],
  [
    "an endless message",
    "() => { throw 'a'.repeat(99999) }",
    /^failed: the program failed: a{65484} \[cut: 34515 more\]$/,
  ],
])("%s becomes the failure of the call", async (_, balance, reason) => {
  expect(await called(program(balance), 0, { account: "a" })).toMatch(reason);
});

test("the signal of a program's function fires when the caller cancels", async () => {
  const waits =
    "(_, { signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))";
  const loaded = await loadProgram(Buffer.from(program(waits)), METHODS);
  if (!loaded.ok) throw new Error(loaded.reason);
  const [here, there] = duplexPair();
  serveOwn(there, {
    interfaceId: LEDGER,
    interfaceName: "",
    methods: loaded.value,
    directory: undefined,
    stateBytes: 0,
    now: () => 0,
  });
  const asking = new AbortController();
  const connection = connect(here);
  const reply = connection.callTool(LEDGER, 0, '{"account":"a"}', { signal: asking.signal });
  asking.abort();
  expect(await reply).toMatchObject({ ok: false, code: "cancelled" });
  expect(await connection.callTool(LEDGER, 1, '{"to":"a","cents":1}')).toEqual({ ok: true, value: "{}" });
});

test("a service above its size limit refuses changes, and still answers reads", async () => {
  mkdirSync(join(directory, "below"));
  writeFileSync(join(directory, "below/file"), "a".repeat(2000));
  const source = program("() => ({ cents: 1 })");
  expect(await called(source, 1, { to: "a", cents: 1 })).toBe(
    "failed: the service has used up its state: 2000 of 1024 bytes",
  );
  expect(await called(source, 0, { account: "a" })).toEqual({ cents: 1 });
  expect(await called(source, 1, { to: "a", cents: 1 }, 2000)).toEqual({});
});

test("a method that is not a tool cannot be called, even if the program exports it", async () => {
  expect(await called(`export default { balance() {}, pay() {}, refund() { return {} } };`, 2, {})).toMatch(
    /^unknownMethod/,
  );
});

test.each([
  ["a syntax error", "export default {", /cannot be loaded: Unexpected/],
  ["no default export", "export const pay = () => {};", /no default export/],
  ["a missing function", "export default { balance() {} };", /has no function `pay`/],
  ["a number instead of a function", "export default { balance() {}, pay: 3 };", /has no function `pay`/],
  ["a file that it imports", 'import "./other.js"; export default {};', /cannot be loaded/],
  ["an exception of its own", "throw new Error('not today');", /cannot be loaded: not today/],
])("refuses a program with %s", async (_, source, reason) => {
  const loaded = await loadProgram(Buffer.from(source), METHODS);
  expect(loaded.ok ? "" : loaded.reason).toMatch(reason);
});
