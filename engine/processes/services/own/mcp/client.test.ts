// Tests a server that announces a changed list of tools: no call is sent before the list is checked.
import { PassThrough } from "node:stream";
import { afterEach, expect, test, vi } from "vitest";
import { computeToolListDigest, type JsonRecord } from "../../../../lib/policy/index.ts";
import type { Param } from "../../../../lib/wire/generated/policy.ts";
import { createClient } from "./client.ts";
import { readLines } from "./lines.ts";

const TOOLS = [{ name: "say", inputSchema: { type: "object" } }];
const OTHERS = [...TOOLS, { name: "burn", inputSchema: { type: "object" } }];
const TEXT: readonly Param[] = [{ name: "text", type: { which: "text", text: { maxBytes: 0 } }, required: true }];
const UNPINNED = { ok: false, reason: "its tools are not those of the list that is pinned" };
const GIVEN_UP = { ok: false, reason: "the call was given up" };
const never = new AbortController().signal;

afterEach(() => void vi.useRealTimers());

/**
 * Returns a started client, connected with a server that the test controls. The server stores the client's requests, and answers with a
 * list when the test calls `list`.
 */
async function begun() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const asked: string[] = [];
  const lists: ((...messages: readonly JsonRecord[]) => void)[] = [];
  const send = (...messages: readonly JsonRecord[]) =>
    output.write(messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join(""));
  readLines(input, {
    heed: ({ message: { id = 0, method = "" } }) => {
      asked.push(String(method));
      if (method === "initialize") send({ id, result: { protocolVersion: "2025-06-18" } });
      if (method === "tools/call") send({ id, result: { content: [{ type: "text", text: "ran" }] } });
      if (method === "tools/list") lists.push((tools, ...more) => send({ id, result: tools ?? {} }, ...more));
    },
    skip: ({ reason }) => asked.push(reason),
    fail: (reason) => asked.push(reason),
  });
  const client = createClient(input, output, computeToolListDigest(TOOLS));
  const opened = client.open();
  /** Answers the oldest request for the list; the messages `more` follow in the same piece of bytes. */
  const list = async (tools: readonly JsonRecord[], ...more: readonly JsonRecord[]) => {
    while (lists.length === 0) await passes();
    lists.shift()?.({ tools }, ...more);
    await passes();
  };
  await list(TOOLS);
  expect(await opened).toBeUndefined();
  asked.length = 0;
  const say = (signal = never) => client.call({ name: "say", results: TEXT }, {}, signal);
  return { say, send, list, asked };
}

test("a tool that has another name on the page is called by the server's name", async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const tools = [{ name: "issues.get" }, { name: "say" }];
  const called: unknown[] = [];
  const send = (message: JsonRecord) => output.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  readLines(input, {
    heed: ({ message: { id = 0, method = "", params = {} } }) => {
      if (method === "initialize") send({ id, result: { protocolVersion: "2025-06-18" } });
      if (method === "tools/list") send({ id, result: { tools } });
      if (method !== "tools/call") return;
      called.push(params);
      send({ id, result: { content: [] } });
    },
    skip: () => {},
    fail: () => {},
  });
  const client = createClient(input, output, computeToolListDigest(tools));
  expect(await client.open()).toBeUndefined();
  for (const name of ["issues_get_b7c164c9", "say"]) await client.call({ name, results: TEXT }, {}, never);
  expect(called).toEqual([
    { name: "issues.get", arguments: {} },
    { name: "say", arguments: {} },
  ]);
});

type Server = Awaited<ReturnType<typeof begun>>;

const CHANGED = { method: "notifications/tools/list_changed" };
const passes = () => new Promise(setImmediate);

/** Returns a started client whose server has announced a changed list. */
async function changed(): Promise<Server> {
  const server = await begun();
  server.send(CHANGED);
  await passes();
  return server;
}

test("calls wait while a changed list is read once, and are refused if it differs from the pinned list", async () => {
  const { say, list, asked } = await changed();
  const calls = [say(), say()];
  await passes();
  calls.push(say());
  await passes();
  expect(asked).toEqual(["tools/list"]);
  await list(OTHERS);
  expect(await Promise.all(calls)).toEqual([UNPINNED, UNPINNED, UNPINNED]);
  expect(await say()).toEqual(UNPINNED);
  expect(asked).toEqual(["tools/list"]);
});

test("waiting calls run if the list is still the pinned one, and the list is not read again", async () => {
  const { say, list, asked } = await changed();
  const calls = [say(), say()];
  await list(TOOLS);
  const ran = { ok: true, value: { text: "ran" } };
  expect([...(await Promise.all(calls)), await say()]).toEqual([ran, ran, ran]);
  expect(asked).toEqual(["tools/list", "tools/call", "tools/call", "tools/call"]);
});

test("a list that changes while it is read is read again before any call", async () => {
  const { say, send, list, asked } = await changed();
  const call = say();
  await passes();
  send(CHANGED);
  await list(TOOLS);
  await list(TOOLS, CHANGED);
  expect(asked).toEqual(["tools/list", "tools/list", "tools/list"]);
  await list(OTHERS);
  expect(await call).toEqual(UNPINNED);
  expect(asked).not.toContain("tools/call");
});

test("a call that is cancelled while the list is read ends immediately, and the server never gets it", async () => {
  const { say, list, asked } = await changed();
  const giveUp = new AbortController();
  const [given, other] = [say(giveUp.signal), say()];
  await passes();
  giveUp.abort();
  expect(await given).toEqual(GIVEN_UP);
  await list(TOOLS);
  expect(await other).toMatchObject({ ok: true });
  expect(asked).toEqual(["tools/list", "tools/call"]);
});

test("a call that was cancelled before it began is not sent, whether or not the list has changed", async () => {
  for (const server of [await begun(), await changed()]) {
    expect(await server.say(AbortSignal.abort())).toEqual(GIVEN_UP);
    await passes();
    expect(server.asked).not.toContain("tools/call");
  }
});

test.each([
  ["does not list them again", async () => {}],
  ["changes them at every request", async ({ list }: Server) => list(TOOLS, CHANGED)],
])("a server that announced other tools and %s gets no more calls after half a minute", async (_, answer) => {
  const server = await changed();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const call = server.say();
  await passes();
  for (let second = 0; second < 30; second += 1) {
    await answer(server);
    vi.advanceTimersByTime(1000);
  }
  const late = { ok: false, reason: "it does not list its tools: half a minute was not enough" };
  expect([await call, await server.say()]).toEqual([late, late]);
  expect(server.asked).not.toContain("tools/call");
});
