import { type Duplex, duplexPair } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import { computeChecksum, createLineFraming, createSerialFraming, encodeFrame, type Framing } from "./framing.ts";
import { MOST_REQUEST_BYTES } from "./names.ts";
import { type Line, serveLine } from "./serve.ts";

const text = (request: Uint8Array | "tooLong"): string =>
  request === "tooLong" ? request : Buffer.from(request).toString("utf8");
const taken = (framing: Framing, bytes: string | Uint8Array) => framing.take(Buffer.from(bytes)).map(text);

test("each line is a request, however it is split into chunks; blank lines are skipped", () => {
  const framing = createLineFraming();
  expect(taken(framing, '{"a"')).toEqual([]);
  expect(framing.isUnfinished()).toBe(true);
  expect(taken(framing, ":1}\n\n \r\n{}\n")).toEqual(['{"a":1}', "{}"]);
  expect(framing.isUnfinished()).toBe(false);
});

test("reports a line that is too long once, and reads the next line", () => {
  const framing = createLineFraming();
  expect(taken(framing, "x".repeat(MOST_REQUEST_BYTES))).toEqual([]);
  expect(taken(framing, "x".repeat(2))).toEqual(["tooLong"]);
  expect(taken(framing, "x".repeat(5000))).toEqual([]);
  expect(taken(framing, "its end\n{}\n")).toEqual(["{}"]);
  expect(taken(framing, `${"x".repeat(MOST_REQUEST_BYTES + 1)}\n{}\n`)).toEqual(["tooLong", "{}"]);
});

test("reads the next line after it has dropped a long unfinished line", () => {
  const framing = createLineFraming();
  expect(taken(framing, "x".repeat(MOST_REQUEST_BYTES + 1))).toEqual(["tooLong"]);
  framing.forget();
  expect(framing.isUnfinished()).toBe(false);
  expect(taken(framing, "{}\n")).toEqual(["{}"]);
  expect(taken(framing, "hal")).toEqual([]);
  framing.forget();
  expect(taken(framing, "{}\n")).toEqual(["{}"]);
});

test("a frame is DV, version, kind, length, payload and CRC-16", () => {
  expect(computeChecksum(Buffer.from("123456789"))).toBe(0x29b1);
  const frame = Buffer.from(encodeFrame(1, Buffer.from("{}")));
  expect(frame.subarray(0, 8).toString("latin1")).toBe("DV\x01\x01\x00\x02{}");
  expect(frame.readUInt16BE(8)).toBe(computeChecksum(frame.subarray(2, 8)));
});

const frames = fc.array(fc.string({ maxLength: 40 }), { maxLength: 4 });

test("property: finds every frame, however the bytes are split", () => {
  fc.assert(
    fc.property(frames, fc.nat(30), (payloads, size) => {
      const framing = createSerialFraming();
      const bytes = Buffer.concat(payloads.map((payload) => encodeFrame(1, Buffer.from(payload))));
      const found: string[] = [];
      for (let at = 0; at < bytes.length; at += size + 1)
        found.push(...taken(framing, bytes.subarray(at, at + size + 1)));
      expect(found).toEqual(payloads.map((payload) => Buffer.from(payload).toString("utf8")));
    }),
  );
});

test("skips noise, torn frames and frames of other kinds", () => {
  const whole = encodeFrame(1, Buffer.from("{}"));
  const torn = Buffer.from(whole);
  torn[7] = 0;
  const noise = Buffer.from("boot: DVD\r\nD");
  const other = Buffer.from(whole);
  other[2] = 2;
  const long = Buffer.from([0x44, 0x56, 1, 1, 0xff, 0xff]);
  const later = Buffer.from(whole);
  later[2] = 2;
  later.writeUInt16BE(computeChecksum(later.subarray(2, 8)), 8);
  for (const before of [noise, torn, encodeFrame(2, Buffer.from("{}")), other, long, later])
    expect(taken(createSerialFraming(), Buffer.concat([before, whole]))).toEqual(["{}"]);
});

/** Noise, and beginnings of long frames and lines, which the framing must hold until they are complete. */
const piece = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.integer({ min: 0, max: 0xffff }).map((length) => Uint8Array.of(0x44, 0x56, 1, 1, length >> 8, length & 0xff)),
  fc.integer({ min: 1, max: 3000 }).map((length) => new Uint8Array(length).fill(0x78)),
);

test("property: holds no more than one request and its frame, for any bytes", () => {
  let most = 0;
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (chunks) => {
      for (const framing of [createSerialFraming(), createLineFraming()])
        for (const chunk of chunks) {
          framing.take(chunk);
          expect(framing.heldBytes()).toBeLessThanOrEqual(MOST_REQUEST_BYTES + 8);
          if (!framing.isUnfinished()) expect(framing.heldBytes()).toBe(0);
          most = Math.max(most, framing.heldBytes());
        }
    }),
  );
  // In some runs the framing must have held more than half of the bytes that a request may have. Smaller requests alone
  // would not test this limit.
  expect(most).toBeGreaterThan(MOST_REQUEST_BYTES / 2);
});

test("finds a request behind noise that looks like frames", () => {
  const beginning = Buffer.from([0x44, 0x56, 1, 1, 7, 0xff]);
  const framing = createSerialFraming();
  const noise = Buffer.concat(Array<Uint8Array>(10_000).fill(beginning));
  expect(taken(framing, noise)).toEqual([]);
  expect(taken(framing, Buffer.concat([new Uint8Array(2100), encodeFrame(1, Buffer.from("{}"))]))).toEqual(["{}"]);
  expect(framing.isUnfinished()).toBe(false);
});

/** Returns a clock whose deadlines pass only when the test says so, and the number of deadlines that were set. */
function clock() {
  const armed = new Set<() => void>();
  let set = 0;
  return {
    set: () => set,
    after: (_: number, run: () => void) => {
      set += 1;
      armed.add(run);
      return () => void armed.delete(run);
    },
    pass: () => {
      const due = [...armed];
      armed.clear();
      for (const run of due) run();
    },
    armed,
  };
}

function lineWith(
  over: Partial<Line> = {},
  answer = async (request: Uint8Array | "tooLong") => Buffer.from(text(request)),
) {
  const [mine, stream] = duplexPair();
  const time = clock();
  const over_ = serveLine({ stream, framing: createLineFraming(), whenStalled: "end", ...over }, answer, time.after);
  return { mine, stream, time, over: over_ };
}

const next = (stream: Duplex): Promise<string> =>
  new Promise((resolve) => stream.once("data", (data) => resolve(String(data))));

test("answers requests in order, each before the next begins", async () => {
  let underWay = 0;
  let most = 0;
  const { mine, over } = lineWith({}, async (request) => {
    underWay += 1;
    most = Math.max(most, underWay);
    await Promise.resolve();
    underWay -= 1;
    return Buffer.from(text(request));
  });
  mine.end("1\n2\n3\n");
  const said: string[] = [];
  for await (const chunk of mine) said.push(String(chunk));
  await over;
  expect(said.join("")).toBe("1\n2\n3\n");
  expect(most).toBe(1);
});

test("reads a last line without a line end, and ignores a torn frame", async () => {
  const answered = async (framing: Framing, sent: string | Uint8Array): Promise<string> => {
    const { mine, over } = lineWith({ framing });
    mine.end(sent);
    const said: string[] = [];
    for await (const chunk of mine) said.push(String(chunk));
    await over;
    return said.join("");
  };
  expect(await answered(createLineFraming(), "1\n2")).toBe("1\n2\n");
  expect(await answered(createLineFraming(), "1\n ")).toBe("1\n");
  expect(await answered(createSerialFraming(), encodeFrame(1, Buffer.from("1")).subarray(0, 7))).toBe("");
});

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("disconnects a client that does not finish a request within the time limit from its first byte", async () => {
  const framing = createLineFraming();
  const { mine, time, over } = lineWith({ framing });
  mine.write("1\n");
  await next(mine);
  const before = time.set();
  mine.write("hal");
  while (framing.heldBytes() < 3) await turn();
  mine.write("f");
  while (framing.heldBytes() < 4) await turn();
  await turn();
  // More bytes of the unfinished request do not set a new deadline.
  expect(time.set()).toBe(before + 1);
  time.pass();
  await over;
});

test("no timer remains after the client has ended, and no listener after an answer", async () => {
  const { mine, stream, time, over } = lineWith();
  mine.write("1\n");
  await next(mine);
  await turn();
  const listening = stream.listenerCount("close");
  mine.write("2\n");
  await next(mine);
  await turn();
  expect(stream.listenerCount("close")).toBe(listening);
  mine.end("hal");
  await over;
  expect(time.armed.size).toBe(0);
});

test("a request that arrives in time stops its timer", async () => {
  const { mine, time, over } = lineWith();
  mine.write("hal");
  while (time.armed.size === 0) await turn();
  mine.write("f\n");
  expect(await next(mine)).toBe("half\n");
  await turn();
  expect(time.armed.size).toBe(0);
  mine.end();
  await over;
});

test("after the time limit, a serial line drops only the unfinished frame, and reads the next frame at once", async () => {
  const { mine, time, over } = lineWith({ framing: createSerialFraming(), whenStalled: "forget" });
  for (const _ of ["once", "and again"]) {
    // The unfinished frame is so long that the next frame would be read as a part of it.
    mine.write(encodeFrame(1, new Uint8Array(1000)).subarray(0, 7));
    while (time.armed.size === 0) await turn();
    time.pass();
  }
  mine.write(encodeFrame(1, Buffer.from("[]")));
  expect(await next(mine)).toContain("[]");
  mine.end();
  await over;
});

test("disconnects a client that does not read its answer", async () => {
  const { mine, time, over } = lineWith({}, async () => Buffer.alloc(1 << 20));
  mine.write("1\n");
  while (time.armed.size === 0) await new Promise((resolve) => setImmediate(resolve));
  time.pass();
  await over;
});

test("cancels the answer when the client disconnects", async () => {
  const [mine, stream] = duplexPair();
  const asked = Promise.withResolvers<AbortSignal>();
  const answer = (_: Uint8Array | "tooLong", signal: AbortSignal): Promise<Uint8Array> => {
    asked.resolve(signal);
    return new Promise((resolve) => signal.addEventListener("abort", () => resolve(Buffer.from(""))));
  };
  const over = serveLine({ stream, framing: createLineFraming(), whenStalled: "end" }, answer, clock().after);
  mine.write("1\n");
  const signal = await asked.promise;
  stream.destroy();
  await over;
  expect(signal.aborted).toBe(true);
});
