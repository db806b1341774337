import { execFileSync } from "node:child_process";
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CLUSTER, writeQcow2 } from "./qcow2.ts";
import { isQcow2, type QcowDisk, type ReadAt, readQcow2 } from "./qcow2-reader.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "capos-qcow2-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const inMemory =
  (bytes: Uint8Array): ReadAt =>
  (offset, length) =>
    bytes.subarray(offset, offset + length);

function written(disk: Uint8Array): Buffer {
  const [file, out] = [join(folder, "disk"), join(folder, "disk.qcow2")];
  writeFileSync(file, disk);
  writeQcow2({ file, size: disk.length }, out);
  return readFileSync(out);
}

function opened(image: Uint8Array): QcowDisk {
  const disk = readQcow2(inMemory(image));
  if (disk === undefined) throw new Error("it cannot be read");
  return disk;
}

/** Disks that are mostly zeros, with some non-zero clusters. */
const disks = fc
  .record({
    sectors: fc.integer({ min: 1, max: (CLUSTER / 512) * 12 }),
    filled: fc.array(fc.record({ at: fc.nat({ max: 11 }), byte: fc.nat({ max: 255 }) }), { maxLength: 6 }),
  })
  .map(({ sectors, filled }) => {
    const disk = Buffer.alloc(sectors * 512);
    for (const { at, byte } of filled) disk.subarray(at * CLUSTER + 7, at * CLUSTER + 600).fill(byte);
    return disk;
  });

test("property: a written image reads as the same disk, and the same disk gives the same bytes", () => {
  fc.assert(
    fc.property(disks, fc.nat(), fc.nat(), (disk, from, length) => {
      const image = written(disk);
      const read = opened(image);
      expect(isQcow2(inMemory(image))).toBe(true);
      expect(read.size).toBe(disk.length);
      expect(Buffer.from(read.readAt(0, disk.length)).equals(disk)).toBe(true);
      const at = from % disk.length;
      expect(Buffer.from(read.readAt(at, length % 200_000)).equals(disk.subarray(at, at + (length % 200_000)))).toBe(
        true,
      );
      expect(written(disk).equals(image)).toBe(true);
    }),
    { numRuns: 30 },
  );
});

test("qemu-img finds no error in the image, and reads the same disk from it", () => {
  const disk = Buffer.alloc(40 * CLUSTER + 2048);
  for (const cluster of [0, 3, 4, 17, 40]) disk.fill(cluster + 1, cluster * CLUSTER + 100, cluster * CLUSTER + 1200);
  const image = written(disk);
  const [raw, file] = [join(folder, "disk"), join(folder, "disk.qcow2")];
  const checked = JSON.parse(execFileSync("qemu-img", ["check", "--output=json", file], { encoding: "utf8" }));
  expect(checked).toMatchObject({ "check-errors": 0, "allocated-clusters": 5 });
  expect([checked.corruptions, checked.leaks]).toEqual([undefined, undefined]);
  expect(execFileSync("qemu-img", ["compare", raw, file], { encoding: "utf8" })).toContain("identical");
  expect(image.length).toBeLessThan(disk.length);
});

test("an image can store a disk of more than 512 MiB, and the zeros of the disk take no space", () => {
  const [file, out] = [join(folder, "large"), join(folder, "large.qcow2")];
  writeFileSync(file, "first");
  // The disk is a sparse file, so it takes no space on the host's disk.
  truncateSync(file, 520 * 2 ** 20);
  writeQcow2({ file, size: 520 * 2 ** 20 }, out);
  expect(statSync(out).size).toBe(7 * CLUSTER);
  const disk = opened(readFileSync(out));
  expect(disk.size).toBe(520 * 2 ** 20);
  expect(Buffer.from(disk.readAt(0, 8)).toString()).toBe("first\0\0\0");
  expect(Buffer.from(disk.readAt(disk.size - 4, 100))).toEqual(Buffer.alloc(4));
});

test.each<[string, (image: Buffer) => void]>([
  ["another file", (image) => image.writeBigUInt64BE(104n, 8)],
  ["a key", (image) => image.writeUInt32BE(1, 32)],
  ["another compression", (image) => image.writeBigUInt64BE(8n, 72)],
  ["an unsupported cluster size", (image) => image.writeUInt32BE(40, 20)],
  ["a table above the size limit", (image) => image.writeUInt32BE(0xffff_ffff, 36)],
])("an image with %s is refused", (_, change) => {
  const image = written(Buffer.alloc(CLUSTER, 1));
  change(image);
  expect(readQcow2(inMemory(image))).toBeUndefined();
});

test.each<[string, number]>([
  ["a second-level table", CLUSTER],
  ["a data cluster", 2 * CLUSTER],
])("if the offset of %s is beyond the file, the disk reads as zeros", (_, entry) => {
  const image = written(Buffer.alloc(CLUSTER, 1));
  image.writeBigUInt64BE((1n << 63n) | 0x00ff_ffff_ffff_fe00n, entry);
  const out = join(folder, "far.qcow2");
  writeFileSync(out, image);
  const file = openSync(out, "r");
  const disk = readQcow2((offset, length) => {
    const bytes = new Uint8Array(length);
    return bytes.subarray(0, readSync(file, bytes, 0, length, offset));
  });
  expect(disk?.readAt(0, CLUSTER)).toEqual(Buffer.alloc(CLUSTER));
  closeSync(file);
});

test("an image with changed bytes is refused, or read without an exception", () => {
  const image = written(Buffer.alloc(3 * CLUSTER, 5));
  const change = fc.record({ at: fc.nat({ max: 3 * CLUSTER }), to: fc.nat({ max: 255 }) });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 8 }), fc.nat({ max: image.length }), (changes, length) => {
      const changed = Buffer.from(image.subarray(0, length));
      for (const { at, to } of changes) if (at < length) changed[at % 200] = to;
      expect(readQcow2(inMemory(changed))?.readAt(0, 70_000).length ?? 0).toBeLessThanOrEqual(70_000);
    }),
    { numRuns: 500 },
  );
});
