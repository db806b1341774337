// What a hostile service answers, in bytes on its own connection: the call ends, its end is on record, and the session goes on.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Socket, connect as socketTo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { duplexPair } from "node:stream";
import { afterEach, expect, test, vi } from "vitest";
import { row } from "../policy/testing/sample.ts";
import { Frame } from "../wire/generated/wire.ts";
import { connect, encodeMessage } from "../wire/index.ts";
import { callIn, direct, propose, staged } from "./testing/calls.ts";
import { answering, type Serve } from "./testing/stage.ts";

const CALL_MS = 5000;

afterEach(() => {
  vi.useRealTimers();
});

/** A service of which each call is answered with these bytes, whatever it was; `sent` resolves with the first of them. */
function answeringIn(bytes: Uint8Array): { readonly serve: Serve; readonly sent: Promise<void> } {
  const [mine, theirs] = duplexPair();
  const { promise: sent, resolve } = Promise.withResolvers<void>();
  theirs.on("data", () => theirs.write(bytes, () => resolve()));
  const service = connect(mine);
  return { serve: (json, options) => service.callTool(1n, 0, json, options), sent };
}

/** The answer to the first call of a connection. */
const answer = (json: string): Uint8Array =>
  encodeMessage(Frame, { callId: 1n, which: "answer", answer: { payload: { which: "json", json } } });

/** A frame of so many bytes begins; little of it ever comes. */
function begun(bytes: number): Uint8Array {
  const start = Buffer.alloc(64);
  start.writeUInt32LE(bytes / 8, 4);
  return start;
}

function notUtf8(): Uint8Array {
  const bytes = Buffer.from(answer('{"content":"ab"}'));
  return Buffer.from(bytes.fill(0xff, bytes.indexOf("ab"), bytes.indexOf("ab") + 2));
}

test.each([
  ["100 MB", begun(100_000_000), "closed: a frame claims 100000000 bytes"],
  ["text that is no UTF-8", notUtf8(), "malformed: the answer cannot be read: a text is not UTF-8"],
  ["text that is no JSON", answer('{"content":'), "the answer of the service is no JSON object"],
  ["what nests without end", answer("[".repeat(100_000)), "the answer of the service is no JSON object"],
])("hostile result: %s is an error of its call, on record, and the session goes on", async (_, bytes, words) => {
  const { serve } = answeringIn(bytes);
  const stage = staged("auto", { serve });
  const { outcome, content, error } = await direct(stage);
  expect([outcome, content]).toEqual(["executionError", ""]);
  expect(error).toContain(words);
  expect(callIn(stage.entries.at(-1))).toMatchObject({ outcome: "executionError" });
  expect((await direct(stage)).outcome).toBe("executionError");
  expect(stage.entries.length).toBe(4);
});

test("hostile result: one that never ends is given up at the page's time for a call, and its call is on record as such", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { serve, sent } = answeringIn(begun(1_000_000));
  const rows = [row("operator", [2], { timeouts: { callMs: CALL_MS, turnMs: 0, loginMs: 0, idleMs: 0 } })];
  const stage = staged("auto", { serve, tables: { rows } });
  const called = direct(stage);
  await sent;
  vi.advanceTimersByTime(CALL_MS);
  expect((await called).outcome).toBe("timedOut");
  expect(callIn(stage.entries.at(-1))).toMatchObject({ outcome: "timedOut" });
});

test("hostile result: escape sequences stand escaped in what is told and drawn, and no arrow in it passes for the gate's own", async () => {
  const { serve } = answeringIn(answer(JSON.stringify({ content: "\u001b[2J→ ok" })));
  const stage = staged("auto", { serve });
  stage.gate.beginTurn();
  const { outcome, content } = await propose(stage);
  expect([outcome, content]).toEqual(["ok", '{"content":"\\u001b[2J→ ok"}']);
  expect(stage.notices.at(-1)?.result).toBe('{"content":"\\u001b[2J‹U+2192› ok"}');
});

const PIECE = 64 * 1024;
const FLOOD = 100_000_000;

/** Both ends of a socket, as init makes them: what is sent stays with the kernel until it is read. */
async function socketPair(): Promise<readonly [Socket, Socket]> {
  const folder = mkdtempSync(join(tmpdir(), "capos-flood-"));
  const server = createServer();
  const path = join(folder, "socket");
  const accepted = new Promise<Socket>((resolve) => server.once("connection", resolve));
  await new Promise<void>((resolve) => server.listen(path, resolve));
  const mine = socketTo(path);
  const theirs = await accepted;
  server.close();
  rmSync(folder, { recursive: true });
  return [mine, theirs];
}

/** Sends the pieces over and over, 100 MB in all, as fast as they are taken, or until nobody takes them; gives how much was sent. */
async function flood(end: Socket, first: Uint8Array, piece: Uint8Array): Promise<number> {
  const over = new Promise<void>((resolve) => end.once("close", () => resolve()));
  // Whoever is cut off gets an error for what it still sends.
  end.on("error", () => {});
  end.write(first);
  let sent = first.length;
  while (sent < FLOOD && !end.destroyed) {
    sent += piece.length;
    if (!end.write(piece)) await Promise.race([over, new Promise((resolve) => end.once("drain", resolve))]);
  }
  end.end();
  await over;
  return sent;
}

/** As many of a frame as fit into a piece. */
function manyOf(frame: Uint8Array): Uint8Array {
  return Buffer.concat(Array.from({ length: Math.floor(PIECE / frame.length) }, () => frame));
}

const ANSWER = answer('{"content":"a"}');
const LARGE = answer(`{"content":"${"a".repeat(1_000_000)}"}`);
const CANCEL = encodeMessage(Frame, { callId: 1n, which: "cancel" });
const NOTHING = new Uint8Array();

// A socket is read in pieces of 64 KiB, and another may have been read before the first was looked at.
test.each([
  ["a frame that claims them", begun(FLOOD), Buffer.alloc(PIECE), "executionError", 2 * PIECE],
  ["very many small answers", NOTHING, manyOf(ANSWER), "ok", 2 * PIECE],
  ["very many small frames that are no answers", NOTHING, manyOf(CANCEL), "executionError", 2 * PIECE],
  ["answers as large as a frame may be", NOTHING, LARGE, "executionError", 2 * LARGE.length + 2 * PIECE],
])(
  "hostile result: of 100 MB in %s next to nothing is read, the connection is cut, and the gate goes on",
  async (_, first, piece, outcome, most) => {
    const [mine, theirs] = await socketPair();
    const isOver = new Promise<void>((resolve) => mine.once("close", () => resolve()));
    const sent = new Promise<number>((resolve) => theirs.once("data", () => resolve(flood(theirs, first, piece))));
    const service = connect(mine);
    let serve: Serve = (json, options) => service.callTool(1n, 0, json, options);
    const stage = staged("auto", { serve: (json, options) => serve(json, options) });
    expect((await direct(stage)).outcome).toBe(outcome);
    expect(callIn(stage.entries.at(-1))).toMatchObject({ outcome });
    await isOver;
    // Most of it was never taken: the peer was cut off long before.
    expect(await sent).toBeLessThan(FLOOD / 10);
    expect(mine.bytesRead).toBeLessThanOrEqual(most);
    expect(mine.readableLength).toBeLessThanOrEqual(mine.readableHighWaterMark);
    expect((await direct(stage)).error).toContain("closed: ");
    serve = answering('{"content":"b"}');
    expect((await direct(stage)).outcome).toBe("ok");
  },
);

test("a service whose answer does not fit its interface has run: the outcome is ok, with its text, and on record", async () => {
  const { serve } = answeringIn(answer('"runs: 3\\n[it ran]"'));
  const stage = staged("auto", { serve });
  expect(await direct(stage)).toMatchObject({ outcome: "ok", content: '{"text":"runs: 3\\n[it ran]"}', error: "" });
  expect(callIn(stage.entries.at(-1))).toMatchObject({ outcome: "ok" });
});
