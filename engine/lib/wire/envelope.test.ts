import fc from "fast-check";
import { expect, test } from "vitest";
import type { Result } from "../result/result.ts";
import { decodeMessage } from "./decode.ts";
import { encode, encodeMessage } from "./encode.ts";
import { answerBytes, callBytes, readQuickFrame, readRemains } from "./envelope.ts";
import { valuesOf } from "./fixture/values.ts";
import { Frame, Notice, Payload } from "./generated/wire.ts";
import { FRAME_LIMITS } from "./limits.ts";

const word = fc.oneof(fc.constantFrom(0n, 1n), fc.bigInt(0n, 2n ** 64n - 1n));
const method = fc.oneof(fc.constant(0), fc.nat(65_535));
const values = valuesOf(Notice);
const plain = (made: Result<Uint8Array>) => (made.ok ? new Uint8Array(made.value) : made.reason);

test("property: calls and answers have the bytes that the general writer gives them", () => {
  fc.assert(
    fc.property(word, word, method, valuesOf(Payload), (callId, interfaceId, ordinal, payload) => {
      const call = { interfaceId, method: ordinal, payload };
      expect(plain(callBytes(callId, interfaceId, ordinal, payload))).toEqual(
        encodeMessage(Frame, { callId, which: "call", call }),
      );
      expect(plain(answerBytes(callId, payload))).toEqual(
        encodeMessage(Frame, { callId, which: "answer", answer: { payload } }),
      );
    }),
    { numRuns: 300 },
  );
});

test("property: a value that is encoded inside a frame has the bytes that it has as a separate message", () => {
  fc.assert(
    fc.property(word, values, (callId, value) => {
      const payload = { which: "message", message: encode(Notice, value) } as const;
      expect(answerBytes(callId, { which: "value", layout: Notice, value })).toEqual(answerBytes(callId, payload));
    }),
    { numRuns: 100 },
  );
});

/** Frames in which some bytes are changed, or which are truncated. */
const spoiled = fc
  .tuple(valuesOf(Frame), fc.array(fc.tuple(fc.nat(96), fc.nat(255)), { maxLength: 2 }), fc.nat(12))
  .map(([frame, changes, cut]) => {
    const bytes = Buffer.from(encodeMessage(Frame, frame));
    for (const [at, byte] of changes) if (at < bytes.length) bytes[at] = byte;
    return bytes.subarray(0, cut > 9 ? Math.max(0, bytes.length - 8 * (cut - 9)) : bytes.length);
  });

test("property: the quick reader returns the same value as the general reader, or leaves the frame to the general reader", () => {
  let quickly = 0;
  fc.assert(
    fc.property(spoiled, (bytes) => {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
      const quick = readQuickFrame(bytes, view, 0, bytes.length);
      // Bytes before and after the frame in the same buffer must not change what `readQuickFrame` returns.
      const among = Buffer.concat([Buffer.alloc(16, 1), bytes, Buffer.alloc(64, 255)]);
      const there = new DataView(among.buffer, among.byteOffset, among.length);
      expect(readQuickFrame(among, there, 16, 16 + bytes.length)).toEqual(quick);
      if (quick === undefined) return;
      quickly += 1;
      const frame = decodeMessage(Frame, lengthMended(bytes), FRAME_LIMITS);
      if (!frame.ok) expect.unreachable(frame.reason);
      expect(encodeMessage(Frame, quick)).toEqual(encodeMessage(Frame, frame.value));
    }),
    { numRuns: 3000 },
  );
  expect(quickly).toBeGreaterThan(100);
});

test("property: `readRemains` returns the call, kind and text that the frame was written with, and never throws", () => {
  fc.assert(
    fc.property(valuesOf(Frame), (frame) => {
      const remains = readRemains(Buffer.from(encodeMessage(Frame, frame)).subarray(8));
      // A frame with only default values has no words that could name its call.
      const { callId, which } = frame;
      if (remains === undefined) expect([callId, which]).toEqual([0n, "call"]);
      else if (which === "failure") expect(remains).toEqual({ callId, which, text: frame.failure.reason });
      else if (which === "answer") {
        const { payload } = frame.answer;
        expect(remains).toEqual({ callId, which, text: payload.which === "json" ? payload.json : "" });
      } else expect(remains).toEqual({ callId, which: undefined, text: "" });
    }),
    { numRuns: 500 },
  );
  fc.assert(
    fc.property(spoiled, (bytes) => {
      if (bytes.length >= 8 && bytes.length % 8 === 0)
        expect(["object", "undefined"]).toContain(typeof readRemains(bytes.subarray(8)));
    }),
    { numRuns: 3000 },
  );
});

/** Corrects the length in the header, which the quick reader ignores because the frame cutter has already read it. */
function lengthMended(bytes: Buffer): Buffer {
  const mended = Buffer.from(bytes);
  mended.writeUInt32LE(0, 0);
  mended.writeUInt32LE((bytes.length - 8) / 8, 4);
  return mended;
}

test("a failed encoding leaves no bytes in the next message", () => {
  const payload = { which: "json", json: "{}" } as const;
  const before = callBytes(1n, 2n, 3, payload);
  const misfit = { callId: 1n, which: "failure", failure: { code: "failed", reason: 7 } };
  expect(() => Reflect.apply(encodeMessage, undefined, [Frame, misfit])).toThrow("cannot hold");
  expect(callBytes(1n, 2n, 3, payload)).toEqual(before);
});

test("refuses to build a frame above the limit", () => {
  expect(callBytes(1n, 2n, 3, { which: "json", json: "x".repeat(FRAME_LIMITS.bytes) })).toMatchObject({
    reason: expect.stringContaining("do not fit into a frame"),
  });
});
