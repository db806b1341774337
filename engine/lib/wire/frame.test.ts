import { duplexPair } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import { encodeMessage } from "./encode.ts";
import { valuesOf } from "./fixture/values.ts";
import { FrameCutter } from "./frame.ts";
import { Files } from "./generated/tools.ts";
import { Frame } from "./generated/wire.ts";
import { serve } from "./serve.ts";

/** Returns the header of a frame of one segment. */
function header(bytes: number): Uint8Array {
  const words = new Uint8Array(8);
  new DataView(words.buffer).setUint32(4, bytes / 8, true);
  return words;
}

test("a frame that arrives byte by byte takes at most twice its size in memory", () => {
  const cutter = new FrameCutter();
  const take = () => expect.unreachable("the frame is not complete");
  const pieces = 300_000;
  expect(cutter.push(header(512 * 1024), take)).toBeUndefined();
  for (let sent = 0; sent < pieces; sent++) expect(cutter.push(new Uint8Array(1), take)).toBeUndefined();
  expect(cutter.capacity).toBeGreaterThanOrEqual(pieces);
  expect(cutter.capacity).toBeLessThanOrEqual(2 * (pieces + 8));
});

/** Returns the bytes in pieces, cut at these positions. */
function pieces(bytes: Uint8Array, cuts: readonly number[]): readonly Uint8Array[] {
  const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end));
}

const anyCuts = fc.array(fc.nat(), { maxLength: 12 });

test("property: a stream gives the same frames in order, however it is split", () => {
  const anyFrames = fc.array(valuesOf(Frame), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(anyFrames, anyCuts, (frames, cuts) => {
      const cutter = new FrameCutter();
      const taken: Frame[] = [];
      const stream = Buffer.concat(frames.map((frame) => encodeMessage(Frame, frame)));
      for (const piece of pieces(stream, cuts)) {
        expect(cutter.push(piece, (frame) => taken.push(frame))).toBeUndefined();
      }
      const bytesOf = (frame: Frame) => encodeMessage(Frame, frame);
      expect([taken.map(bytesOf), cutter.isWaiting]).toEqual([frames.map(bytesOf), false]);
    }),
    { numRuns: 200 },
  );
});

/** Random bytes, with or without a plausible header before them. */
const anyBytes = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc
    .tuple(fc.nat(40), fc.uint8Array({ maxLength: 300 }))
    .map(([words, noise]) => Buffer.concat([header(words * 8), noise])),
);

test("property: any bytes give the same result without a crash, however they are split", () => {
  fc.assert(
    fc.property(anyBytes, anyCuts, (bytes, cuts) => {
      const whole = new FrameCutter();
      const verdict = whole.push(bytes, () => {});
      const cutter = new FrameCutter();
      const verdicts = pieces(bytes, cuts).map((piece) => cutter.push(piece, () => {}));
      expect(verdicts.find((reason) => reason !== undefined)).toBe(verdict);
    }),
    { numRuns: 1000 },
  );
});

test("property: a provider answers or disconnects a peer, whatever it sends, and the connection ends", async () => {
  await fc.assert(
    fc.asyncProperty(anyBytes, anyCuts, async (bytes, cuts) => {
      const [here, there] = duplexPair();
      const serving = serve(there, [Files.id], async ({ payload }) => ({ ok: true, payload }));
      here.resume();
      for (const piece of pieces(bytes, cuts)) here.write(piece);
      here.end();
      expect((await serving.closed).reason).not.toBe("");
    }),
    { numRuns: 300 },
  );
});
