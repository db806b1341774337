import { type Duplex, duplexPair } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import { checksum, type Framing, framed, lineFraming, serialFraming } from "./framing.ts";
import { MOST_REQUEST_BYTES } from "./names.ts";
import { type Line, serveLine } from "./serve.ts";

const text = (request: Uint8Array | "tooLong"): string =>
  request === "tooLong" ? request : Buffer.from(request).toString("utf8");
const taken = (framing: Framing, bytes: string | Uint8Array) => framing.take(Buffer.from(bytes)).map(text);

test("lines are requests, however they are cut; blank ones are none", () => {
  const framing = lineFraming();
  expect(taken(framing, '{"a"')).toEqual([]);
  expect(framing.isUnfinished()).toBe(true);
  expect(taken(framing, ":1}\n\n \r\n{}\n")).toEqual(['{"a":1}', "{}"]);
  expect(framing.isUnfinished()).toBe(false);
});

test("a line that is too long is told once, and the next is read", () => {
  const framing = lineFraming();
  expect(taken(framing, "x".repeat(MOST_REQUEST_BYTES))).toEqual([]);
  expect(taken(framing, "x".repeat(2))).toEqual(["tooLong"]);
  expect(taken(framing, "x".repeat(5000))).toEqual([]);
  expect(taken(framing, "\n{}\n")).toEqual(["{}"]);
  expect(taken(framing, `${"x".repeat(MOST_REQUEST_BYTES + 1)}\n{}\n`)).toEqual(["tooLong", "{}"]);
});

test("of a long line that will never end nothing is skipped", () => {
  const framing = lineFraming();
  expect(taken(framing, "x".repeat(MOST_REQUEST_BYTES + 1))).toEqual(["tooLong"]);
  framing.forget();
  expect(framing.isUnfinished()).toBe(false);
  expect(taken(framing, "{}\n")).toEqual(["{}"]);
});

test("a frame is DV, version, kind, length, payload and CRC-16", () => {
  expect(checksum(Buffer.from("123456789"))).toBe(0x29b1);
  const frame = Buffer.from(framed(1, Buffer.from("{}")));
  expect(frame.subarray(0, 8).toString("latin1")).toBe("DV\x01\x01\x00\x02{}");
  expect(frame.readUInt16BE(8)).toBe(checksum(frame.subarray(2, 8)));
});

const frames = fc.array(fc.string({ maxLength: 40 }), { maxLength: 4 });

test("law: frames are found however they are cut", () => {
  fc.assert(
    fc.property(frames, fc.nat(30), (payloads, size) => {
      const framing = serialFraming();
      const bytes = Buffer.concat(payloads.map((payload) => framed(1, Buffer.from(payload))));
      const found: string[] = [];
      for (let at = 0; at < bytes.length; at += size + 1)
        found.push(...taken(framing, bytes.subarray(at, at + size + 1)));
      expect(found).toEqual(payloads.map((payload) => Buffer.from(payload).toString("utf8")));
    }),
  );
});

test("noise, torn frames and frames of other kinds are skipped", () => {
  const whole = framed(1, Buffer.from("{}"));
  const torn = Buffer.from(whole);
  torn[7] = 0;
  const noise = Buffer.from("boot: DVD\r\nD");
  const other = Buffer.from(whole);
  other[2] = 2;
  const long = Buffer.from([0x44, 0x56, 1, 1, 0xff, 0xff]);
  for (const before of [noise, torn, framed(2, Buffer.from("{}")), other, long])
    expect(taken(serialFraming(), Buffer.concat([before, whole]))).toEqual(["{}"]);
});

test("law: whatever comes, no more is kept than a frame holds", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 200 })), (chunks) => {
      for (const framing of [serialFraming(), lineFraming()]) for (const chunk of chunks) framing.take(chunk);
    }),
  );
});

/** Deadlines that a test lets pass. */
function clock() {
  const armed = new Set<() => void>();
  return {
    after: (_: number, run: () => void) => {
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
  const over_ = serveLine({ stream, framing: lineFraming(), whenStalled: "end", ...over }, answer, time.after);
  return { mine, time, over: over_ };
}

const next = (stream: Duplex): Promise<string> =>
  new Promise((resolve) => stream.once("data", (data) => resolve(String(data))));

test("requests are answered in their order, each before the next is begun", async () => {
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

test("who leaves a request unfinished is let go, counted from its first byte", async () => {
  const { mine, time, over } = lineWith();
  mine.write("1\nhal");
  await next(mine);
  mine.write("f");
  while (time.armed.size === 0) await new Promise((resolve) => setImmediate(resolve));
  time.pass();
  await over;
});

test("on a serial line only what is unfinished is forgotten", async () => {
  const { mine, time, over } = lineWith({ framing: serialFraming(), whenStalled: "forget" });
  for (const _ of ["once", "and again"]) {
    mine.write(framed(1, Buffer.from("{}")).subarray(0, 7));
    while (time.armed.size === 0) await new Promise((resolve) => setImmediate(resolve));
    time.pass();
  }
  mine.write(framed(1, Buffer.from("[]")));
  expect(await next(mine)).toContain("[]");
  mine.end();
  await over;
});

test("who takes no answer is let go", async () => {
  const { mine, time, over } = lineWith({}, async () => Buffer.alloc(1 << 20));
  mine.write("1\n");
  while (time.armed.size === 0) await new Promise((resolve) => setImmediate(resolve));
  time.pass();
  await over;
});

test("whoever leaves while an answer is made ends it", async () => {
  const [mine, stream] = duplexPair();
  const asked = Promise.withResolvers<AbortSignal>();
  const answer = (_: Uint8Array | "tooLong", signal: AbortSignal): Promise<Uint8Array> => {
    asked.resolve(signal);
    return new Promise((resolve) => signal.addEventListener("abort", () => resolve(Buffer.from(""))));
  };
  const over = serveLine({ stream, framing: lineFraming(), whenStalled: "end" }, answer, clock().after);
  mine.write("1\n");
  const signal = await asked.promise;
  stream.destroy();
  await over;
  expect(signal.aborted).toBe(true);
});
