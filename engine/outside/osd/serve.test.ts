import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Duplex, duplexPair } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { scheduleAfter } from "../../lib/wire/listen.ts";
import type { Answer, FailureAnswer } from "./answer.ts";
import { MOST_REQUEST_BYTES } from "./limits.ts";
import { readPlan } from "./read-plan.ts";
import { servePeer } from "./serve.ts";

interface Deadline {
  readonly ms: number;
  readonly run: () => void;
}

/** Returns a peer, timers that a test can fire, and the requests that the daemon received. */
function scene() {
  const [mine, stream] = duplexPair();
  const armed = new Set<Deadline>();
  const asked: string[] = [];
  const answer = async (request: Uint8Array | FailureAnswer): Promise<Answer | FailureAnswer> => {
    asked.push(request instanceof Uint8Array ? Buffer.from(request).toString("utf8") : request.error.code);
    if (!(request instanceof Uint8Array)) return request;
    return { ok: true, request_id: "r", executed: true, results: [] };
  };
  const after = (ms: number, run: () => void) => {
    const deadline = { ms, run };
    armed.add(deadline);
    return () => void armed.delete(deadline);
  };
  const over = servePeer(stream, answer, after);
  const pass = async (ms: number) => {
    const due = () => [...armed].find((deadline) => deadline.ms === ms);
    while (due() === undefined) await turn();
    due()?.run();
  };
  const waits = (ms: number) => [...armed].filter((deadline) => deadline.ms === ms).length;
  return { mine, stream, asked, over, pass, waits };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const IDLE = 1000;
const WHOLE = 30_000;

async function said(mine: Duplex): Promise<unknown> {
  return JSON.parse(await text(mine));
}

test("answers when the client ends its side, and then closes the connection", async () => {
  const { mine, asked, over } = scene();
  mine.end("{}");
  expect(await said(mine)).toMatchObject({ ok: true, request_id: "r" });
  await over;
  expect(asked).toEqual(["{}"]);
});

test("answers a client that keeps its side open as soon as the client is silent", async () => {
  const { mine, asked, over, pass, waits } = scene();
  mine.write('{"a"');
  while (waits(IDLE) === 0) await turn();
  mine.write(":1}");
  while (mine.writableLength > 0) await turn();
  await turn();
  // The limit of silence is counted from the last byte.
  expect(waits(IDLE)).toBe(1);
  await pass(IDLE);
  expect(await said(mine)).toMatchObject({ ok: true });
  await over;
  expect(asked).toEqual(['{"a":1}']);
});

test("refuses and records a huge request without storing its bytes, and the client gets the reason", async () => {
  const { mine, asked, over } = scene();
  const chunk = Buffer.alloc(64 * 1024, 0x20);
  for (let sent = 0; sent <= MOST_REQUEST_BYTES; sent += chunk.length) mine.write(chunk);
  expect(await said(mine)).toMatchObject({ ok: false, error: { code: "request_too_large" } });
  await over;
  expect(asked).toEqual(["request_too_large"]);
});

test("a client that sends byte by byte without an end gets a timeout", async () => {
  const { mine, asked, over, pass } = scene();
  mine.write("{");
  await pass(WHOLE);
  expect(await said(mine)).toMatchObject({ ok: false, error: { code: "request_timed_out" } });
  await over;
  expect(asked).toEqual(["request_timed_out"]);
});

test("a client that disconnects without data causes no request", async () => {
  const { mine, asked, over } = scene();
  mine.end();
  await over;
  expect(asked).toEqual([]);
});

test("a client that disconnects in the middle of its request causes no request, and the daemon does not wait for it", async () => {
  const { mine, stream, asked, over } = scene();
  mine.write('{"a":');
  while (stream.readableLength === 0 && mine.writableLength > 0) await turn();
  stream.destroy();
  await over;
  expect(asked).toEqual([]);
});

test("disconnects a client that does not read its answer", async () => {
  const [mine, stream] = duplexPair({ highWaterMark: 1 });
  const armed: (() => void)[] = [];
  const answer = async (): Promise<Answer> => ({ ok: true, request_id: "r", executed: true, results: [] });
  const over = servePeer(stream, answer, (_, run) => {
    armed.push(run);
    return () => void armed.splice(armed.indexOf(run), 1);
  });
  mine.end("{}");
  while (!stream.writableEnded) await turn();
  for (const run of [...armed]) run();
  await over;
  expect(stream.destroyed).toBe(true);
});

test("a client that ended its side and then disconnects cancels its running request", async () => {
  const folder = mkdtempSync(join(tmpdir(), "capc-osd-"));
  const path = join(folder, "socket");
  const begun = Promise.withResolvers<AbortSignal>();
  const answer = (_: unknown, signal: AbortSignal): Promise<Answer> => {
    begun.resolve(signal);
    return new Promise((resolve) =>
      signal.addEventListener("abort", () => resolve({ ok: true, request_id: "r", executed: true, results: [] })),
    );
  };
  const over = Promise.withResolvers<void>();
  const server = createServer({ allowHalfOpen: true }, (peer) => over.resolve(servePeer(peer, answer, scheduleAfter)));
  await once(server.listen(path), "listening");
  const client = connect(path);
  client.end("{}");
  const signal = await begun.promise;
  expect(signal.aborted).toBe(false);
  client.destroy();
  await over.promise;
  expect(signal.aborted).toBe(true);
  server.close();
  rmSync(folder, { recursive: true });
});

test("refuses deeply nested input and input with many faults, and reports at most eight faults", () => {
  const deep = readPlan(Buffer.from('{"actions":'.repeat(20_000)));
  expect(deep).toMatchObject({ ok: false, error: { code: "parse_failed" } });
  const action = { type: "exec", argv: [], timeout_sec: 0, reason: "" };
  const many = readPlan(Buffer.from(JSON.stringify({ actions: Array(16).fill(action) })));
  expect(many.ok ? "" : many.error.message.split("; ")).toHaveLength(8);
});
