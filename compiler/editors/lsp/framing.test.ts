import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Framing, MOST_MESSAGE, MOST_SKIPPED } from "./framing.ts";
import { parseMessage } from "./message.ts";
import { startReading } from "./reading.ts";

/** Maximum number of messages in one random test. */
const MOST_MESSAGES = 20;

const framed = (text: string, name = "Content-Length"): Buffer =>
  Buffer.from(`${name}: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
const named = (method: string) => JSON.stringify({ jsonrpc: "2.0", method });

/**
 * Returns the output for these chunks, the reasons why messages were skipped, and, if the stream ended early, the
 * reason for that.
 */
async function through(chunks: Iterable<Buffer>) {
  const told: string[] = [];
  const framing = new Framing({ tooLong: (reason) => told.push(reason), malformed: (reason) => told.push(reason) });
  const out: Buffer[] = [];
  for await (const bytes of Readable.from(chunks).pipe(framing)) out.push(bytes);
  return { broken: framing.broken, told, out: Buffer.concat(out).toString() };
}

/** Returns the methods that the protocol's reader finds in these bytes. */
async function read(chunks: Iterable<Buffer>) {
  const told: string[] = [];
  const methods: unknown[] = [];
  const { reader, ended } = startReading(Readable.from(chunks), {
    tooLong: (reason) => told.push(reason),
    malformed: (reason) => told.push(reason),
  });
  reader.listen((message) => methods.push("method" in message ? message.method : message));
  const broken = await ended;
  // The reader delivers each message in its own turn of the event loop.
  for (let turn = 0; turn < 2 * MOST_MESSAGES; turn += 1) await setImmediate();
  return { broken, told, methods };
}

function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...new Set([...places.map((place) => place % (bytes.length + 1)), bytes.length])].sort((a, b) => a - b);
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

test("messages are read equally, however their bytes are split into chunks", async () => {
  const texts = fc.array(fc.string({ unit: "binary", maxLength: 40 }), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(texts, fc.array(fc.nat(), { maxLength: 20 }), async (all, places) => {
      const methods = all.map((text) => text.toWellFormed());
      const bytes = Buffer.concat(methods.map((method) => framed(named(method))));
      expect(await read(cut(bytes, places))).toEqual({ broken: undefined, told: [], methods });
    }),
  );
});

test("no input causes an exception, and a complete message before an invalid one is read", async () => {
  const pieces = [
    "Content-Length: ",
    "content-length:5",
    "\r\n",
    "\r\n\r\n",
    "{}",
    ":",
    "-1",
    "99",
    '{"jsonrpc":"2.0"}',
  ];
  const noise = fc.array(
    fc.oneof(
      fc.constantFrom(...pieces).map((piece) => Buffer.from(piece)),
      fc.uint8Array({ maxLength: 30 }).map(Buffer.from),
    ),
    { maxLength: 20 },
  );
  await fc.assert(
    fc.asyncProperty(noise, fc.array(fc.nat(), { maxLength: 8 }), async (parts, places) => {
      const { methods } = await read(cut(Buffer.concat([framed(named("first")), ...parts]), places));
      expect(methods[0]).toBe("first");
    }),
  );
});

test.each([
  ["no length", "Content-Type: x\r\n\r\n{}", "a header that says no length"],
  ["a negative length", "Content-Length: -2\r\n\r\n{}", "a header that says no length"],
  ["a length with text after it", "Content-Length: 2x\r\n\r\n{}", "a header that says no length"],
  ["two lengths", "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", "a header that says no length"],
  [
    "a length that is too large for a number",
    `Content-Length: ${"9".repeat(20)}\r\n\r\n{}`,
    "a header that says no length",
  ],
  [
    "a message that would swallow all later ones",
    `Content-Length: ${MOST_SKIPPED + 1}\r\n\r\n{}`,
    `a message of ${MOST_SKIPPED + 1} bytes, more than ${MOST_MESSAGE}`,
  ],
  ["an endless header", "x".repeat(5000), "a header of more than 4096 bytes"],
  ["a header whose end comes too late", `X: ${"x".repeat(5000)}\r\n\r\n`, "a header of more than 4096 bytes"],
])("%s ends the stream, because the start of the next message is unknown", async (_, bytes, reason) => {
  for (const chunks of [[Buffer.from(bytes)], Array.from(bytes, (one) => Buffer.from(one))])
    expect(await read([framed(named("before")), ...chunks, framed(named("behind"))])).toEqual({
      broken: reason,
      told: [],
      methods: ["before"],
    });
});

test("a message that is too long is skipped while it arrives, and the next one is read", async () => {
  const length = MOST_MESSAGE + 1;
  function* chunks() {
    yield Buffer.from(`Content-Length: ${length}\r\n\r\n`);
    for (let left = length; left > 0; left -= 65_536) yield Buffer.alloc(Math.min(left, 65_536), "[");
    yield framed(named("next"), "CONTENT-LENGTH");
  }
  const { broken, told, out } = await through(chunks());
  expect({ broken, told: told.length, out }).toEqual({
    broken: undefined,
    told: 1,
    out: framed(named("next")).toString(),
  });
});

test("an invalid message is reported, and the next one is read", async () => {
  const wrong = ["nonsense", "[]", "null", `[${named("batch")}]`, '{"method":"x"}', '{"jsonrpc":"1.0"}', "\ud800"];
  const deep = `{"jsonrpc":"2.0","params":${"[".repeat(100)}${"]".repeat(100)}}`;
  const { told, methods } = await read([...wrong, deep].map((text) => framed(text)).concat(framed(named("next"))));
  expect(methods).toEqual(["next"]);
  expect(told.length).toBe(wrong.length + 1);
});

test("brackets in strings do not count as nesting", async () => {
  const message = { jsonrpc: "2.0", method: "[".repeat(200), params: ['"{"', "\\[", '\\"['.repeat(100)] };
  expect(await parseMessage(Buffer.from(JSON.stringify(message)))).toEqual(message);
});
