import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect as connectTo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Connection, connect } from "./connection.ts";
import { encodeFrameBytes, FrameCutter, makeFailure } from "./frame.ts";
import { AuditLog, type Payload } from "./generated/wire.ts";
import { implement, serveInterface } from "./implement.ts";
import { readAnew, readInPlace } from "./reused-buffer.ts";
import { type Serving, serve } from "./serve.ts";

const HASH = (byte: number, length: number) => new Uint8Array(length).fill(byte);

/**
 * Opens `count` connections to one service. Both ends read into this process's reused buffer, and `serveOn` serves the
 * provider's end.
 */
async function holders(count: number, serveOn: (stream: Socket) => Serving) {
  const folder = mkdtempSync(join(tmpdir(), "held-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "socket");
  const served: Serving[] = [];
  const server = createServer((stream) => served.push(serveOn(readAnew(stream)))).listen(path);
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const held = Array.from(
    { length: count },
    (): Connection => connect(readInPlace((onread) => connectTo({ path, onread }))),
  );
  onTestFinished(() => {
    for (const { close } of held) close();
  });
  return { held, served };
}

const log = (stream: Socket) =>
  serveInterface(stream, [
    implement(AuditLog, {
      append: async () => expect.unreachable(),
      status: async () => expect.unreachable(),
      // Each of the requested records has a hash of one repeated byte.
      tail: async ({ count }) => ({ records: Array.from({ length: count }, (_, at) => record(at)) }),
    }),
  ]);

function record(at: number) {
  const detail = String(at).repeat(200);
  const entry = { which: "session", session: { name: "s", event: "e", detail, digest: HASH(at, 32) } } as const;
  const clocks = { monotonicMs: 1n, wallMs: 2n, wallSource: "rtc" };
  const digests = { bootId: HASH(at, 16), previous: HASH(at, 32), policyDigest: HASH(at, 32) };
  return { schemaVersion: 1, sequence: BigInt(at), writer: "w", ...clocks, ...digests, entry };
}

test("a value that was read does not change when more bytes arrive on any connection", async () => {
  const { held } = await holders(3, log);
  const counts = [1, 3, 700, 2, 1, 40];
  const replies = await Promise.all(
    held.flatMap((one) => counts.map((count) => one.call(AuditLog.methods.tail, { count }))),
  );
  for (const [index, reply] of replies.entries()) {
    const count = counts[index % counts.length] ?? 0;
    const value = { records: Array.from({ length: count }, (_, at) => record(at)) };
    expect(reply).toEqual({ ok: true, value });
  }
});

test("the end of the provider ends the connection and its calls", async () => {
  const { held, served } = await holders(1, (stream) => {
    const forGood = () => new Promise<never>(() => {});
    return serveInterface(stream, [implement(AuditLog, { append: forGood, status: forGood, tail: forGood })]);
  });
  const [one] = held;
  const reply = one?.call(AuditLog.methods.status, {});
  while (served.length === 0) await new Promise(setImmediate);
  served[0]?.close();
  expect(await reply).toMatchObject({ ok: false, code: "closed" });
  await one?.closed;
});

test("disconnects a peer that sends malformed frames", async () => {
  const { held } = await holders(1, (stream) => {
    stream.write(Buffer.alloc(64, 0xff));
    return { closed: new Promise(() => {}), close: () => stream.destroy() };
  });
  await held[0]?.closed;
  expect(await held[0]?.call(AuditLog.methods.status, {})).toMatchObject({ ok: false, code: "closed" });
});

/** Resolves after this number of turns of the event loop. */
async function later(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
}

test("a handler's payload does not change when more bytes arrive", async () => {
  const kept: { readonly payload: Payload; readonly asItCame: Payload }[] = [];
  const { held } = await holders(3, (stream) =>
    serve(stream, [AuditLog.id], async ({ payload }) => {
      kept.push({ payload, asItCame: structuredClone(payload) });
      return makeFailure("failed", "enough");
    }),
  );
  const counts = Array.from({ length: 12 }, (_, at) => at + 1);
  await Promise.all(counts.map((count) => held[count % 3]?.call(AuditLog.methods.tail, { count })));
  expect(kept.map(({ payload }) => payload.which)).toEqual(counts.map(() => "message"));
  for (const { payload, asItCame } of kept) expect(bytesIn(payload)).toEqual(bytesIn(asItCame));
});

const bytesIn = (payload: Payload) => (payload.which === "message" ? [...payload.message] : expect.unreachable());

test("stops reading from a holder that does not read its answers, and loses none of them", async () => {
  const folder = mkdtempSync(join(tmpdir(), "held-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "socket");
  const json = JSON.stringify("x".repeat(60_000));
  let taken = 0;
  const server = createServer((stream) =>
    serve(readAnew(stream), [1n], async ({ payload }) => {
      taken += 1;
      return { ok: true, payload };
    }),
  ).listen(path);
  onTestFinished(() => void server.close());
  await once(server, "listening");
  // A raw socket is used, because a `Connection` would send at most eight calls at a time.
  const socket = connectTo(path).pause();
  onTestFinished(() => void socket.destroy());
  const payload = { which: "json", json } as const;
  for (let callId = 1n; callId <= 60n; callId += 1n) {
    const call = encodeFrameBytes({ callId, which: "call", call: { interfaceId: 1n, method: 0, payload } });
    socket.write(call.ok ? call.value : expect.unreachable(call.reason));
  }
  for (let before = -1; before < taken || taken === 0; await later(30)) before = taken;
  expect(taken).toBeLessThan(40);
  const answered: bigint[] = [];
  const cutter = new FrameCutter();
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.on("data", (chunk: Uint8Array) => {
    expect(cutter.push(chunk, ({ callId }) => answered.push(callId))).toBeUndefined();
    if (answered.length === 60) resolve();
  });
  socket.resume();
  await promise;
  expect(answered).toEqual(Array.from({ length: 60 }, (_, at) => BigInt(at + 1)));
});
