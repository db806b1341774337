import fc from "fast-check";
import { expect, test } from "vitest";
import { logOf } from "./testing/log.ts";
import { apply, readWriteLog } from "./write-log.ts";

test("writes, flushes and discards are read back in order", () => {
  const bytes = Buffer.alloc(1024, 7);
  const log = logOf([
    { offset: 512, bytes },
    { isFlush: true },
    { offset: 4096, discarded: 8192 },
    { offset: 0, bytes: Buffer.alloc(512, 1), isFlush: true },
  ]);
  const read = readWriteLog(log);
  expect(
    read.ok && read.value.map(({ offset, bytes, discarded, isFlush }) => [offset, bytes.length, discarded, isFlush]),
  ).toEqual([
    [512, 1024, 0, false],
    [0, 0, 0, true],
    [4096, 0, 8192, false],
    [0, 512, 0, true],
  ]);
  const disk = Buffer.alloc(16_384, 9);
  for (const entry of read.ok ? read.value : []) apply(disk, entry);
  expect([disk[0], disk[512], disk[1536], disk[4096], disk[12_288]]).toEqual([1, 7, 9, 0, 9]);
});

test("refuses a log of another format, a truncated log, and a log that claims too many entries", () => {
  const log = logOf([{ offset: 0, bytes: Buffer.alloc(1024, 7) }]);
  const changed = (at: number, value: number): Buffer => {
    const copy = Buffer.from(log);
    copy.writeUInt32LE(value, at);
    return copy;
  };
  expect(readWriteLog(Buffer.alloc(0))).toEqual({ ok: false, reason: "the log of writes has no head" });
  expect(readWriteLog(changed(0, 1))).toEqual({ ok: false, reason: "this is no log of writes" });
  expect(readWriteLog(changed(24, 77))).toMatchObject({ ok: false, reason: expect.stringContaining("of 77 bytes") });
  expect(readWriteLog(log.subarray(0, -512))).toMatchObject({ reason: "entry 0 of the log of writes is cut short" });
  expect(readWriteLog(changed(16, 2))).toMatchObject({ reason: "entry 1 of the log of writes is missing" });
  expect(readWriteLog(changed(512 + 12, 0xffff))).toMatchObject({ ok: false });
});

test("random changes never crash the reader, and no entry is larger than the log", () => {
  const log = logOf([{ offset: 512, bytes: Buffer.alloc(1024, 7) }, { isFlush: true }]);
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(log.length - 1), fc.nat(255)), { maxLength: 12 }), (changes) => {
      const copy = Buffer.from(log);
      for (const [at, value] of changes) copy[at] = value;
      const read = readWriteLog(copy);
      for (const { bytes } of read.ok ? read.value : []) expect(bytes.length).toBeLessThan(log.length);
    }),
    { numRuns: 2000 },
  );
});
