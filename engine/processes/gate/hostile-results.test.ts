// Tests hostile answers of a service, as bytes on its connection: the call ends, its end is recorded, and the session continues.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Socket, connect as socketTo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { duplexPair } from "node:stream";
import { afterEach, expect, test, vi } from "vitest";
import { row } from "../../lib/policy/testing/sample.ts";
import type { PolicyTables } from "../../lib/wire/generated/policy.ts";
import { type FailureCode, Frame } from "../../lib/wire/generated/wire.ts";
import { connect, encodeMessage } from "../../lib/wire/index.ts";
import { MAX_RESULT_BYTES } from "./result.ts";
import { callIn, direct, propose, reading, staged } from "./testing/calls.ts";
import { answering, type Serve } from "./testing/stage.ts";

const CALL_MS = 5000;

afterEach(() => {
  vi.useRealTimers();
});

/** Returns a service that answers each call with these bytes; `sent` resolves when it answers the first call. */
function answeringIn(bytes: Uint8Array): { readonly serve: Serve; readonly sent: Promise<void> } {
  const [mine, theirs] = duplexPair();
  const { promise: sent, resolve } = Promise.withResolvers<void>();
  let calls = 0n;
  theirs.on("data", () => {
    calls += 1n;
    theirs.write(numbered(bytes, calls), () => resolve());
  });
  const service = connect(mine);
  return { serve: (json, options) => service.callTool(1n, 0, json, options), sent };
}

/** Returns an answer to the first call with the id replaced by this number; other bytes are unchanged. */
function numbered(bytes: Uint8Array, call: bigint): Uint8Array {
  const copy = Buffer.from(bytes);
  if (copy.readBigUInt64LE(CALL_ID_AT) === 1n) copy.writeBigUInt64LE(call, CALL_ID_AT);
  return copy;
}

/** Offset of the call ID, after the frame's header and the pointer to its root. */
const CALL_ID_AT = 16;

/** Returns the answer to the first call of a connection. */
const answer = (json: string): Uint8Array =>
  encodeMessage(Frame, { callId: 1n, which: "answer", answer: { payload: { which: "json", json } } });

function frame(changes: object): Uint8Array {
  const payload = { which: "json", json: "{}" } as const;
  return encodeMessage(Frame, { callId: 1n, which: "answer", answer: { payload }, ...changes });
}

const LARGE = answer(`{"content":"${"a".repeat(1_000_000)}"}`);
const MESSAGE = frame({ answer: { payload: { which: "message", message: new Uint8Array(16) } } });

/** Returns a failure of the first call; `byte` replaces one byte of its text, at "file". */
function failing(reason: string, byte?: number, code: FailureCode = "failed"): Uint8Array {
  const bytes = Buffer.from(encodeMessage(Frame, { callId: 1n, which: "failure", failure: { code, reason } }));
  if (byte !== undefined) bytes[bytes.indexOf("file")] = byte;
  return Buffer.from(bytes);
}

/** Returns the start of a frame that claims this many bytes; few of them are ever sent. */
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
  ["text that is not UTF-8", notUtf8(), "the answer cannot be read: a text is not UTF-8", '{"content":"\ufffd\ufffd"}'],
  ["text that is not JSON", answer('{"content":'), "a value is expected at character 12", '{"content":'],
  ["endless nesting", answer("[".repeat(100_000)), "deeper than 32 levels at character 33", "[[[["],
  ["a repeated name", answer('{"a":1,"a":2}'), "the same name stands twice at character 8", '{"a":1,"a":2}'],
  [
    "a number beyond 2^53",
    answer('{"a":9223372036854775807}'),
    "an integer is beyond 2^53",
    '{"a":9223372036854775807}',
  ],
  ["a message instead of JSON", MESSAGE, "the provider answered with a payload of the kind message", "]"],
  ["an empty payload", frame({ answer: { payload: { which: "empty" } } }), "a payload of the kind empty", "]"],
  ["a result above the maximum size", LARGE, "longer than 524288 bytes", '{"content":"aaaa'],
])(
  "hostile result: %s counts as run; it is returned as text and recorded as ok, and the session continues",
  async (_, bytes, reason, text) => {
    const { serve } = answeringIn(bytes);
    const stage = staged("auto", { serve });
    const { outcome, content, error } = await direct(stage);
    expect([outcome, error]).toEqual(["ok", ""]);
    const told = (JSON.parse(content.replace(/ \[cut: \d+ more bytes\]$/, '"}')) as { text: string }).text;
    expect(told).toMatch(/^\[it ran, and its answer cannot be used; do not call it again for that: /);
    expect(told).toContain(reason);
    expect(told).toContain(text);
    expect(Buffer.byteLength(content)).toBeLessThan(MAX_RESULT_BYTES + 100);
    expect(callIn(stage.entries.at(-1))).toMatchObject({ outcome: "ok" });
    expect((await direct(stage)).outcome).toBe("ok");
    expect(stage.entries.length).toBe(4);
  },
);

test.each([
  ["a failure", failing("no such file"), "no such file"],
  ["a failure with text that is not UTF-8", failing("no such file", 0xff), "no such \ufffdile (a text is not UTF-8)"],
  ["a refusal of its arguments", failing("path is not known", undefined, "malformed"), "malformed: path is not known"],
])("hostile result: %s counts as the provider's own failure", async (_, bytes, words) => {
  const stage = staged("auto", answeringIn(bytes));
  expect(await direct(stage)).toMatchObject({ outcome: "executionError", content: "", error: words });
  expect(callIn(stage.entries.at(-1))).toMatchObject({ outcome: "executionError" });
});

test("hostile result: failure text is cut at the limit of a result, and shorter in records and notices, and says so", async () => {
  const told = async (length: number) => {
    const stage = staged("auto", answeringIn(failing("x".repeat(length))));
    const { error } = await direct(stage);
    const recorded = callIn(stage.entries.at(-1)).error;
    const drawn = stage.notices.at(-1)?.detail ?? "";
    return [error, recorded, drawn].map((words) => words.replace(/x+/, (run) => `${run.length}`));
  };
  expect(await told(30_000)).toEqual(["30000", "1024 [cut: 28976 more bytes]", "1024 [cut: 28976 more bytes]"]);
  expect((await told(60_000))[0]).toBe("32768 [cut: 27232 more bytes]");
  expect((await told(300_000))[0]).toMatch(/^32768 \[cut: \d+ more bytes\]$/);
});

test.each([
  ["100 MB", begun(100_000_000), "closed: a frame claims 100000000 bytes"],
  [
    "an answer to another call",
    frame({ callId: 7n }),
    "closed: the provider answered the call 7, which is not in flight",
  ],
  ["a frame without a call", Buffer.alloc(24).fill(0xff), "closed: a frame has more than one segment"],
])(
  "hostile result: after %s the call may have run, and the error states that, unless the call only reads",
  async (_, bytes, words) => {
    const told = async (tables: Partial<PolicyTables>) => {
      const stage = staged("auto", { ...answeringIn(bytes), tables });
      const { outcome, error } = await direct(stage);
      expect(callIn(stage.entries.at(-1))).toMatchObject({ outcome: "executionError" });
      expect(outcome).toBe("executionError");
      // The connection has ended, so the second call was not sent.
      expect((await direct(stage)).error).not.toContain("may have run");
      return error;
    };
    expect(await told(reading)).toBe(words);
    expect(await told({})).toBe(`${words}; it was sent and may have run: find out before you call it again`);
  },
);

test("hostile result: a call that was stopped before its answer may have run, and the error states that", async () => {
  const { serve, sent } = answeringIn(begun(1_000_000));
  const stage = staged("auto", { serve });
  stage.gate.session.beginTurn();
  const called = propose(stage);
  await sent;
  stage.gate.interrupt();
  const error = "the person stopped the turn; it was sent and may have run: find out before you call it again";
  expect(await called).toMatchObject({ outcome: "cancelled", error });
});

test("hostile result: an endless answer ends at the page's timeout of a call, and is recorded as timed out", async () => {
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

test("hostile result: escape sequences are escaped, and a notice spells out an arrow, because an arrow marks an outcome", async () => {
  const { serve } = answeringIn(answer(JSON.stringify({ content: "\u001b[2J→ ok" })));
  const stage = staged("auto", { serve });
  stage.gate.session.beginTurn();
  const { outcome, content } = await propose(stage);
  expect([outcome, content]).toEqual(["ok", '{"content":"\\u001b[2J→ ok"}']);
  expect(stage.notices.at(-1)?.result).toBe('{"content":"\\u001b[2J‹U+2192› ok"}');
});

const PIECE = 64 * 1024;
const FLOOD = 100_000_000;

/** Returns both ends of a socket, as init makes them: sent bytes stay in the kernel until they are read. */
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

/** Sends the pieces repeatedly, 100 MB in all, until the reader stops taking them; returns the number of bytes that were sent. */
async function flood(end: Socket, first: Uint8Array, piece: Uint8Array): Promise<number> {
  const over = new Promise<void>((resolve) => end.once("close", () => resolve()));
  // After the reader has closed the connection, further writes fail.
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

/** Returns copies of a frame, as many as fit into a piece. */
function manyOf(frame: Uint8Array): Uint8Array {
  return Buffer.concat(Array.from({ length: Math.floor(PIECE / frame.length) }, () => frame));
}

const ANSWER = answer('{"content":"a"}');
const CANCEL = encodeMessage(Frame, { callId: 1n, which: "cancel" });
const NOTHING = new Uint8Array();

// A socket is read in pieces of 64 KiB, and a second piece may be read before the first is checked.
test.each([
  ["a frame that claims this size", begun(FLOOD), Buffer.alloc(PIECE), "executionError", 2 * PIECE],
  ["very many small answers", NOTHING, manyOf(ANSWER), "ok", 2 * PIECE],
  ["very many small frames that are not answers", NOTHING, manyOf(CANCEL), "executionError", 2 * PIECE],
  ["answers of the maximum size", NOTHING, LARGE, "ok", 2 * LARGE.length + 2 * PIECE],
])(
  "hostile result: reads only a small part of 100 MB in %s, closes the connection, and continues",
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
    // Most bytes were never read, because the connection was closed long before.
    expect(await sent).toBeLessThan(FLOOD / 10);
    expect(mine.bytesRead).toBeLessThanOrEqual(most);
    expect(mine.readableLength).toBeLessThanOrEqual(mine.readableHighWaterMark);
    expect((await direct(stage)).error).toContain("closed: ");
    serve = answering('{"content":"b"}');
    expect((await direct(stage)).outcome).toBe("ok");
  },
);

test("an answer that does not fit the interface counts as run: outcome ok, with its text, and recorded", async () => {
  const { serve } = answeringIn(answer('"runs: 3\\n[it ran]"'));
  const stage = staged("auto", { serve });
  expect(await direct(stage)).toMatchObject({ outcome: "ok", content: '{"text":"runs: 3\\n[it ran]"}', error: "" });
  expect(callIn(stage.entries.at(-1))).toMatchObject({ outcome: "ok" });
});
