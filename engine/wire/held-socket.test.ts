import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect as connectTo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Connection, connect } from "./connection.ts";
import { AuditLog } from "./generated/wire.ts";
import { readInPlace } from "./held-socket.ts";
import { implement, serveInterface } from "./implement.ts";
import type { Serving } from "./serve.ts";

const HASH = (byte: number, length: number) => new Uint8Array(length).fill(byte);

/** Holders of so many connections of one service, each read in place; `serveOn` has the other end. */
async function holders(count: number, serveOn: (stream: Socket) => Serving) {
  const folder = mkdtempSync(join(tmpdir(), "held-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "socket");
  const served: Serving[] = [];
  const server = createServer((stream) => served.push(serveOn(stream))).listen(path);
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
      // As many records as were asked for, all of one byte.
      tail: async ({ count }) => ({ records: Array.from({ length: count }, (_, at) => record(at)) }),
    }),
  ]);

function record(at: number) {
  const entry = { which: "session", session: { name: "s", event: "e", detail: String(at).repeat(200) } } as const;
  const clocks = { monotonicMs: 1n, wallMs: 2n, wallSource: "rtc" };
  const digests = { bootId: HASH(at, 16), previous: HASH(at, 32), policyDigest: HASH(at, 32) };
  return { schemaVersion: 1, sequence: BigInt(at), writer: "w", ...clocks, ...digests, entry };
}

test("what was read stays as it is, whatever comes after it on this or another connection", async () => {
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

test("the end of the provider is the end of the connection, and of the calls on it", async () => {
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

test("a peer that sends no frames is cut off", async () => {
  const { held } = await holders(1, (stream) => {
    stream.write(Buffer.alloc(64, 0xff));
    return { closed: new Promise(() => {}), close: () => stream.destroy() };
  });
  await held[0]?.closed;
  expect(await held[0]?.call(AuditLog.methods.status, {})).toMatchObject({ ok: false, code: "closed" });
});
