import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createConnection, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Duplex, duplexPair } from "node:stream";
import { expect, test } from "vitest";
import { connect } from "./connection.ts";
import { encodeMessage } from "./encode.ts";
import { MAX_IN_FLIGHT, makeFailure } from "./frame.ts";
import { Files } from "./generated/tools.ts";
import { Frame, Terminal } from "./generated/wire.ts";
import { implement, serveInterface } from "./implement.ts";
import type { Scheduler } from "./listen.ts";
import { type CallHandler, type IncomingCall, serve } from "./serve.ts";

const echo: CallHandler = async (call) => ({ ok: true, payload: call.payload });

function pair(handle: CallHandler, interfaceIds: readonly bigint[] = [Files.id]) {
  const [here, there] = duplexPair();
  return { connection: connect(here), serving: serve(there, interfaceIds, handle), here, there };
}

/** Returns a function that sends raw frames, as a broken or hostile peer would. */
function frames(stream: Duplex): (frame: Frame) => void {
  return (frame) => stream.write(encodeMessage(Frame, frame));
}

/** Returns a handler that does not answer its calls until the test allows it. */
function holding() {
  const calls: IncomingCall[] = [];
  const answers: (() => void)[] = [];
  let arrived: () => void = () => {};
  const handle: CallHandler = (call) => {
    calls.push(call);
    arrived();
    return new Promise((resolve) => answers.push(() => resolve({ ok: true, payload: call.payload })));
  };
  const until = async (count: number) => {
    while (calls.length < count) await new Promise<void>((resolve) => (arrived = resolve));
  };
  return { handle, calls, answers, until };
}

test("a tool call transmits its JSON and returns the JSON of the answer", async () => {
  const { connection } = pair(echo);
  expect(await connection.callTool(Files.id, 0, '{"path":"é"}')).toEqual({ ok: true, value: '{"path":"é"}' });
});

test("a typed call arrives with its parameters and returns its results", async () => {
  const [here, there] = duplexPair();
  const written: string[] = [];
  serveInterface(there, [
    implement(Terminal, {
      readLine: async () => ({ line: "hello", end: false }),
      write: async ({ text, speaker }) => {
        written.push(`${speaker}: ${text}`);
        return {};
      },
      awaitInterrupt: async () => makeFailure("closed", "nobody is there"),
    }),
  ]);
  const connection = connect(here);
  expect(await connection.call(Terminal.methods.readLine, {})).toEqual({
    ok: true,
    value: { line: "hello", end: false },
  });
  expect(await connection.call(Terminal.methods.write, { text: "hi", speaker: "model" })).toEqual({
    ok: true,
    value: {},
  });
  expect(written).toEqual(["model: hi"]);
  expect(await connection.call(Terminal.methods.awaitInterrupt, {})).toMatchObject({ ok: false, code: "closed" });
});

test("an unknown method fails as unknownMethod, and the connection stays open", async () => {
  const [here, there] = duplexPair();
  serveInterface(there, [
    implement(Files, {
      read: async ({ path }) => ({ content: path }),
      list: async ({ path }) => ({ entries: [path] }),
      write: async () => ({ bytes: 0n }),
      delete: async () => ({}),
    }),
  ]);
  const connection = connect(here);
  expect(await connection.callTool(Files.id, 77, "{}")).toMatchObject({ ok: false, code: "unknownMethod" });
  expect(await connection.callTool(Files.id, 0, "{}")).toMatchObject({ ok: false, code: "malformed" });
  expect(await connection.call(Files.methods.list, { path: "a" })).toEqual({ ok: true, value: { entries: ["a"] } });
});

test("disconnects a caller of an interface that was not granted", async () => {
  const { connection, serving } = pair(echo);
  expect(await connection.callTool(1n, 0, "{}")).toMatchObject({ ok: false, code: "closed" });
  expect(await serving.closed).toEqual({ fault: true, reason: "interface 1 was not granted" });
});

test("answers may arrive in a different order than their calls", async () => {
  const { handle, answers, until } = holding();
  const { connection } = pair(handle);
  const first = connection.callTool(Files.id, 0, "1");
  const second = connection.callTool(Files.id, 0, "2");
  await until(2);
  answers[1]?.();
  expect(await second).toEqual({ ok: true, value: "2" });
  answers[0]?.();
  expect(await first).toEqual({ ok: true, value: "1" });
});

test("a call without an answer times out, and the provider's signal fires", async () => {
  const { handle, calls, until } = holding();
  const { connection } = pair(handle);
  const reply = connection.callTool(Files.id, 0, "{}", { timeoutMs: 1 });
  await until(1);
  expect(await reply).toMatchObject({ ok: false, code: "timedOut" });
  const signal = calls[0]?.signal;
  await new Promise<void>((resolve) =>
    signal?.aborted ? resolve() : signal?.addEventListener("abort", () => resolve()),
  );
});

test("cancelling ends the call at once and fires the provider's signal", async () => {
  const { handle, calls, until } = holding();
  const { connection } = pair(handle);
  const giveUp = new AbortController();
  const reply = connection.callTool(Files.id, 0, "{}", { signal: giveUp.signal });
  await until(1);
  const told = new Promise((resolve) => calls[0]?.signal.addEventListener("abort", resolve));
  giveUp.abort();
  expect(await reply).toMatchObject({ ok: false, code: "cancelled" });
  await told;
});

test("does not send a call whose signal has already fired", async () => {
  const { connection } = pair(async () => makeFailure("failed", "must not arrive"));
  const reply = await connection.callTool(Files.id, 0, "{}", { signal: AbortSignal.abort() });
  expect(reply).toMatchObject({ ok: false, code: "cancelled" });
});

test("a holder has eight calls in flight, and the ninth waits for an answer", async () => {
  const { handle, calls, answers, until } = holding();
  const { connection } = pair(handle);
  const replies = Array.from({ length: 9 }, (_, index) => connection.callTool(Files.id, 0, String(index)));
  await until(8);
  expect(calls.length).toBe(8);
  answers[3]?.();
  await until(9);
  for (const answer of answers) answer();
  expect((await Promise.all(replies)).every((reply) => reply.ok)).toBe(true);
});

test("disconnects a peer with nine calls in flight", async () => {
  const { handle } = holding();
  const [here, there] = duplexPair();
  const serving = serve(there, [Files.id], handle);
  const send = frames(here);
  for (let id = 1n; id <= 9n; id += 1n) {
    send({ callId: id, which: "call", call: { interfaceId: Files.id, method: 0, payload: { which: "empty" } } });
  }
  expect(await serving.closed).toEqual({ fault: true, reason: "more than 8 calls are in flight" });
});

test("disconnects a peer that reuses a call id in flight", async () => {
  const { handle } = holding();
  const [here, there] = duplexPair();
  const serving = serve(there, [Files.id], handle);
  const call = { interfaceId: Files.id, method: 0, payload: { which: "empty" } } as const;
  frames(here)({ callId: 1n, which: "call", call });
  frames(here)({ callId: 1n, which: "call", call });
  expect(await serving.closed).toEqual({ fault: true, reason: "call 1 is in flight already" });
});

test("an answer to a call that is not in flight ends the connection", async () => {
  const [here, there] = duplexPair();
  const connection = connect(here);
  const reply = connection.callTool(Files.id, 0, "{}");
  frames(there)({ callId: 99n, which: "answer", answer: { payload: { which: "empty" } } });
  expect(await reply).toMatchObject({ ok: false, code: "closed" });
  await connection.closed;
});

test("disconnects a peer for each kind of malformed frame, with a reason that names the fault", async () => {
  for (const [hex, reason] of [
    ["0100000001000000", "a frame has more than one segment"],
    ["00000000ffffff7f", "a frame claims 17179869176 bytes"],
    ["0000000001000000ffffffffffffffff", "there is a capability where a struct belongs"],
    ["00000000010000000000000001000000", "a pointer leads out of the message"],
  ] as const) {
    const [here, there] = duplexPair();
    const serving = serve(there, [Files.id], echo);
    here.write(Buffer.from(hex, "hex"));
    expect(await serving.closed).toEqual({ fault: true, reason });
  }
});

test("a frame may arrive byte by byte", async () => {
  const [here, there] = duplexPair();
  serve(there, [Files.id], echo);
  const sent = {
    callId: 7n,
    which: "call",
    call: { interfaceId: Files.id, method: 0, payload: { which: "json", json: "{}" } },
  };
  for (const byte of encodeMessage(Frame, sent as Frame)) here.write(Buffer.of(byte));
  const [answer] = (await new Promise((resolve) => here.once("data", (chunk) => resolve([chunk])))) as [Buffer];
  expect(
    Buffer.from(encodeMessage(Frame, { callId: 7n, which: "answer", answer: { payload: sent.call.payload } } as Frame)),
  ).toEqual(answer);
});

test("a result too large for a frame is replaced by a text that states that the call ran, and the connection stays open", async () => {
  const { connection } = pair(async (call) =>
    call.method === 1 ? { ok: true, payload: { which: "json", json: "x".repeat(2 ** 20) } } : echo(call),
  );
  const value = '"[it ran, and its answer cannot be sent: 1048648 bytes do not fit into a frame of 1048576]"';
  expect(await connection.callTool(Files.id, 1, "{}")).toEqual({ ok: true, value });
  expect(await connection.callTool(Files.id, 0, "{}")).toEqual({ ok: true, value: "{}" });
});

test("a typed result too large for a frame fails its call", async () => {
  const payload = { which: "message", message: new Uint8Array(2 ** 20) } as const;
  const { connection } = pair(async () => ({ ok: true, payload }));
  expect(await connection.callTool(Files.id, 0, "{}")).toEqual({
    ok: false,
    code: "failed",
    reason: "the result cannot be sent: 1048640 bytes do not fit into a frame of 1048576",
  });
});

test("the result of a failed call states that the call may have run, unless the call was never sent", async () => {
  const unanswered = { is: "unanswered" };
  const { connection } = pair(() => new Promise(() => {}));
  const stop = new AbortController();
  const options = [{ timeoutMs: 1 }, { signal: stop.signal }, ...Array.from({ length: MAX_IN_FLIGHT }, () => ({}))];
  const calls = options.map((one) => connection.callTool(Files.id, 0, "{}", one));
  const late = connection.callTool(Files.id, 0, "{}", { timeoutMs: 1 });
  expect(await calls[0]).toMatchObject({ code: "timedOut", ran: unanswered });
  expect(await late).toEqual({ ok: false, code: "timedOut", reason: "no answer within 1 ms" });
  stop.abort();
  expect(await calls[1]).toMatchObject({ code: "cancelled", ran: unanswered });
  connection.close();
  const ends = await Promise.all(calls.slice(2));
  // Calls that were given up still count as in flight until they are answered, so the last two were never sent.
  expect(ends.map((end) => "ran" in end && end.ran)).toEqual([
    ...Array(MAX_IN_FLIGHT - 2).fill(unanswered),
    false,
    false,
  ]);
  const after = await connection.callTool(Files.id, 0, "{}");
  expect(after).not.toHaveProperty("ran");
});

test("the result states that the call ran if its answer is malformed, and does not state this if the provider reports a failure", async () => {
  const { connection } = pair(async ({ method }) =>
    method === 0 ? { ok: true, payload: { which: "empty" } } : makeFailure("malformed", "no such path"),
  );
  const ran = { is: "answered", answer: "" };
  expect(await connection.callTool(Files.id, 0, "{}")).toMatchObject({ code: "malformed", ran });
  expect(await connection.callTool(Files.id, 1, "{}")).not.toHaveProperty("ran");
});

test("does not send ill-formed text, or arguments that are too large for a frame", async () => {
  const { connection } = pair(echo);
  expect(await connection.callTool(Files.id, 0, "x".repeat(2 ** 20))).toMatchObject({ ok: false, code: "malformed" });
  expect(await connection.callTool(Files.id, 0, "\ud800")).toMatchObject({ ok: false, code: "malformed" });
  const reply = await connection.call(Terminal.methods.write, { text: "\ud800", speaker: "model" });
  expect(reply).toMatchObject({ ok: false, code: "malformed" });
  expect(await connection.callTool(Files.id, 0, "{}")).toMatchObject({ ok: true });
});

test("if a handler throws, only its call fails", async () => {
  const { connection } = pair(async (call) => {
    if (call.method === 1) throw new Error("oh");
    return echo(call);
  });
  expect(await connection.callTool(Files.id, 1, "{}")).toMatchObject({
    code: "failed",
    reason: "the provider has a defect: oh",
  });
  expect(await connection.callTool(Files.id, 0, "{}")).toMatchObject({ ok: true });
});

test("when the holder closes the connection, its calls fail as `closed`, and the signals of their handlers fire", async () => {
  const { handle, calls, until } = holding();
  const { connection, serving } = pair(handle);
  const reply = connection.callTool(Files.id, 0, "{}");
  await until(1);
  const told = new Promise((resolve) => calls[0]?.signal.addEventListener("abort", resolve));
  connection.close();
  expect(await reply).toMatchObject({ ok: false, code: "closed" });
  await told;
  expect((await serving.closed).fault).toBe(false);
  expect(await connection.callTool(Files.id, 0, "{}")).toMatchObject({ ok: false, code: "closed" });
});

test("stops reading from a peer that does not read its answers, until the peer reads them", async () => {
  const { answers, handle, until } = holding();
  const [here, there] = duplexPair();
  serve(there, [Files.id], handle);
  const call = { interfaceId: Files.id, method: 0, payload: { which: "json", json: "x".repeat(500_000) } } as const;
  for (let callId = 1n; callId <= 8n; callId += 1n) frames(here)({ callId, which: "call", call });
  await until(8);
  const paused = new Promise<void>((resolve) => there.once("pause", () => resolve()));
  for (const answer of answers) answer();
  await paused;
  const resumed = new Promise<void>((resolve) => there.once("resume", () => resolve()));
  here.resume();
  await resumed;
});

/** A clock that the test advances; it runs the functions that are due. */
class Clock {
  #now = 0;
  #due: { readonly at: number; readonly run: () => void }[] = [];

  readonly after: Scheduler = (ms, run) => {
    const one = { at: this.#now + ms, run };
    this.#due.push(one);
    return () => (this.#due = this.#due.filter((other) => other !== one));
  };

  pass(ms: number): void {
    this.#now += ms;
    for (const one of this.#due.filter(({ at }) => at <= this.#now)) {
      this.#due = this.#due.filter((other) => other !== one);
      one.run();
    }
  }

  get waits(): number {
    return this.#due.length;
  }
}

/** Returns the bytes of a call, and a provider with a clock that the test advances. */
function timed() {
  const clock = new Clock();
  const [here, there] = duplexPair();
  const serving = serve(there, [Files.id], echo, clock.after);
  const heard = new Promise<Uint8Array>((resolve) => here.once("data", resolve));
  const call = { interfaceId: Files.id, method: 0, payload: { which: "json", json: "{}" } } as const;
  const bytes = Buffer.from(encodeMessage(Frame, { callId: 1n, which: "call", call }));
  /** Writes bytes to the provider, and resolves when the provider has received them. */
  const send = (part: Uint8Array) =>
    new Promise<void>((resolve) => {
      there.once("data", () => resolve());
      here.write(part);
    });
  return { clock, serving, send, heard, bytes, here };
}

test("disconnects a peer that leaves a frame unfinished, even if single bytes keep arriving", async () => {
  const { clock, serving, send, bytes } = timed();
  await send(bytes.subarray(0, 9));
  for (let second = 1; second < 30; second += 1) {
    clock.pass(1000);
    await send(bytes.subarray(8 + second, 9 + second));
  }
  clock.pass(999);
  expect(clock.waits).toBe(1);
  clock.pass(1);
  expect(await serving.closed).toEqual({ fault: true, reason: "a frame was left unfinished for too long" });
});

test("each frame has its own time limit, and no limit runs between frames", async () => {
  const { clock, serving, send, heard, bytes } = timed();
  await send(bytes.subarray(0, 9));
  clock.pass(29_000);
  await send(Buffer.concat([bytes.subarray(9), bytes.subarray(0, 9)]));
  await heard;
  clock.pass(29_000);
  await send(bytes.subarray(9));
  expect(clock.waits).toBe(0);
  clock.pass(1_000_000);
  serving.close();
  expect((await serving.closed).fault).toBe(false);
});

test("a disconnected peer that does not read is closed after a time limit", async () => {
  const clock = new Clock();
  const [here, there] = duplexPair();
  const serving = serve(there, [Files.id], echo, clock.after);
  const call = { interfaceId: Files.id, method: 0, payload: { which: "json", json: "x".repeat(100_000) } } as const;
  here.write(encodeMessage(Frame, { callId: 1n, which: "call", call }));
  here.write(Buffer.alloc(16, 0xff));
  expect((await serving.closed).fault).toBe(true);
  const isGone = new Promise((resolve) => there.once("close", resolve));
  clock.pass(30_000);
  await isGone;
  expect(there.destroyed).toBe(true);
});

// In an image, init holds a duplicate of the provider's descriptor; in this test, a waiting program holds it.
test("a disconnected holder sees the end even if another process holds the provider's descriptor", async () => {
  const folder = mkdtempSync(join(tmpdir(), "capos-wire-"));
  const server = createServer({ pauseOnConnect: true });
  await new Promise<void>((resolve) => server.listen(join(folder, "socket"), resolve));
  const arrived = new Promise<Socket>((resolve) => server.once("connection", resolve));
  const holder = createConnection(join(folder, "socket"));
  const provider = await arrived;
  const init = spawn("cat", { stdio: ["pipe", "ignore", "ignore", provider] });
  try {
    const isEnded = new Promise((resolve) => holder.once("end", resolve));
    holder.resume();
    const serving = serve(provider, [Files.id], echo);
    provider.resume();
    holder.write(Buffer.alloc(16, 0xff));
    expect((await serving.closed).fault).toBe(true);
    await isEnded;
  } finally {
    init.kill("SIGKILL");
    server.close();
    rmSync(folder, { recursive: true });
  }
});
