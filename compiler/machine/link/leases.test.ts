import fc from "fast-check";
import { expect, test } from "vitest";
import { cutFrames, prependLength, rewriteLease } from "./leases.ts";

/** Returns a reply of QEMU's server with the fields that matter: Ethernet, IPv4, UDP from port 67, DHCP with these options. */
function answer(options: readonly number[], port = 67): Buffer {
  const frame = Buffer.alloc(14 + 20 + 8 + 240);
  frame.writeUInt16BE(0x0800, 12);
  frame.writeUInt8(0x45, 14);
  frame.writeUInt8(17, 23);
  frame.writeUInt16BE(port, 34);
  frame.writeUInt16BE(0x1234, 40);
  return Buffer.concat([frame, Buffer.from(options)]);
}

const OPTIONS = [53, 1, 5, 1, 4, 248, 0, 0, 0, 0, 6, 4, 10, 0, 2, 3, 51, 4, 0, 1, 81, 128, 255];
const BOTH = { leaseSeconds: 60, hasNames: true };

test("the time, the name server and the mask of a lease are replaced, and the frame keeps its length", () => {
  const made = rewriteLease(answer(OPTIONS), BOTH);
  const wanted = [53, 1, 5, 1, 4, 255, 255, 255, 0, 0, 6, 4, 10, 0, 2, 53, 51, 4, 0, 0, 0, 60, 255];
  expect([...made.subarray(282)]).toEqual(wanted);
  expect(made.readUInt16BE(40)).toBe(0);
});

test("fields of a lease without a setting stay unchanged", () => {
  const options = (made: Buffer): readonly number[] => [...made.subarray(282)];
  expect(options(rewriteLease(answer(OPTIONS), { hasNames: false }))).toEqual(OPTIONS);
  expect(options(rewriteLease(answer(OPTIONS), { leaseSeconds: 60, hasNames: false })).slice(-5)).toEqual([
    0, 0, 0, 60, 255,
  ]);
});

test("a frame that is not a DHCP reply passes unchanged, for any content", () => {
  const other = answer(OPTIONS, 53);
  expect(rewriteLease(other, BOTH)).toBe(other);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      expect(rewriteLease(Buffer.from(bytes), BOTH)).toHaveLength(bytes.length);
    }),
  );
  fc.assert(
    fc.property(fc.array(fc.nat(255), { maxLength: 60 }), (options) => {
      expect(rewriteLease(answer(options), BOTH)).toHaveLength(282 + options.length);
    }),
  );
});

test("frames are read correctly, however their bytes are split into chunks", () => {
  const frames = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 6 });
  fc.assert(
    fc.property(frames, fc.integer({ min: 1, max: 9 }), (sent, step) => {
      const bytes = Buffer.concat(sent.map((frame) => prependLength(Buffer.from(frame))));
      const cut = cutFrames();
      const got: Buffer[] = [];
      for (let at = 0; at < bytes.length; at += step) got.push(...cut(bytes.subarray(at, at + step)));
      expect(got.map((frame) => [...frame])).toEqual(sent.map((frame) => [...frame]));
    }),
  );
});
