import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { getSearchPath } from "../../machine/programs.ts";
import { encodeTable, type Partition, readTable, type Table } from "./gpt.ts";
import { layOut, SMALLEST_DISK } from "./layout.ts";

const MIB = 1024 * 1024;
const guid = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
const IDENTIFIERS = { disk: guid(1), audit: guid(2), files: guid(3) };
const folder = mkdtempSync(join(tmpdir(), "capc-gpt-"));
afterAll(() => rmSync(folder, { recursive: true }));

const tableOf = (size: number): Table & { readonly audit: Partition; readonly files: Partition } =>
  layOut(size, "capos-data", IDENTIFIERS);

/** Returns a disk that contains only zeros, except for its table. */
function diskOf(table: Table, size = SMALLEST_DISK): Buffer {
  const disk = Buffer.alloc(size);
  const { first, second } = encodeTable(table, size);
  first.copy(disk);
  second.copy(disk, size - second.length);
  return disk;
}

function read(disk: Buffer) {
  return readTable((offset, length) => disk.subarray(offset, offset + length), disk.length);
}

test("a written table is read back unchanged, for any size of the disk", () => {
  for (const size of [SMALLEST_DISK, SMALLEST_DISK + 512, 64 * MIB + 4096]) {
    const { disk, partitions } = tableOf(size);
    expect(read(diskOf({ disk, partitions }, size))).toEqual({ ok: true, value: { disk, partitions } });
  }
});

test("the layout fills the disk between its first and its last MiB", () => {
  for (const size of [SMALLEST_DISK, 100 * MIB + 4096, 3 * 1024 * 1024 * MIB]) {
    const { audit, files } = tableOf(size);
    expect([audit.offset, files.offset]).toEqual([MIB, MIB + audit.size]);
    const rest = size - files.offset - files.size;
    expect(files.size >= 16 * MIB && rest >= MIB && rest < 2 * MIB).toBe(true);
  }
});

test("sgdisk finds the table valid, and reads the same partitions", () => {
  const path = join(folder, "disk.img");
  writeFileSync(path, diskOf(tableOf(64 * MIB), 64 * MIB));
  const sgdisk = (...words: string[]) =>
    execFileSync("sgdisk", [...words, path], { env: { PATH: getSearchPath(), LC_ALL: "C" }, encoding: "utf8" });
  expect(sgdisk("-v")).toContain("No problems found.");
  expect(sgdisk("-p")).toContain(`Disk identifier (GUID): ${guid(1)}`);
  expect(sgdisk("-i", "3")).toContain("Partition name: 'capos-audit'");
  expect(sgdisk("-i", "4")).toMatch(/0FC63DAF-8483-4772-8E79-3D69D8477DE4[\s\S]*Partition name: 'capos-data'/);
});

test.each<[string, (table: ReturnType<typeof tableOf>) => readonly Partition[]]>([
  ["partitions 3 and 4 overlap", ({ audit, files }) => [audit, { ...files, offset: files.offset - 4096 }]],
  [
    "partition 4: it leaves the room that the disk has",
    ({ audit, files }) => [audit, { ...files, size: SMALLEST_DISK }],
  ],
  ["partition 3: it leaves the room that the disk has", ({ audit }) => [{ ...audit, offset: 4096 }]],
  [
    "partition 4: it does not begin and end at multiples of 4096 bytes",
    ({ audit, files }) => [audit, { ...files, size: files.size - 512 }],
  ],
  ["partitions 3 and 4 have one name", ({ audit, files }) => [audit, { ...files, name: audit.name }]],
  ["partition 3: its name is not plain", ({ audit }) => [{ ...audit, name: "a b" }]],
])("refused: %s", (reason, spoil) => {
  const table = tableOf(SMALLEST_DISK);
  expect(read(diskOf({ disk: table.disk, partitions: spoil(table) }))).toEqual({ ok: false, reason });
});

test("both copies of the table must exist and be equal", () => {
  const table = tableOf(SMALLEST_DISK);
  const other = { ...table, partitions: [{ ...table.files, id: guid(9) }] };
  const without = (from: number, to: number): Buffer => diskOf(table).fill(0, from, to);
  const mixed = diskOf(table);
  diskOf(other).copy(mixed, SMALLEST_DISK - MIB, SMALLEST_DISK - MIB);
  expect(read(without(512, 1024))).toEqual({ ok: false, reason: "the table at its start: there is none" });
  expect(read(without(SMALLEST_DISK - MIB, SMALLEST_DISK))).toMatchObject({
    reason: "the table at its end: there is none",
  });
  expect(read(mixed)).toEqual({ ok: false, reason: "the tables at its start and its end differ" });
  expect(read(Buffer.concat([diskOf(table), Buffer.alloc(512)]))).toMatchObject({ ok: false });
  expect(read(Buffer.alloc(0))).toEqual({ ok: false, reason: "the disk is too small for a partition table" });
});

test("a disk with changed bytes in its partition tables is refused, or the same partitions are read from it", () => {
  const table = tableOf(SMALLEST_DISK);
  const whole = diskOf(table);
  const ends = fc.oneof(fc.nat(34 * 512 - 1), fc.integer({ min: SMALLEST_DISK - 33 * 512, max: SMALLEST_DISK - 1 }));
  const change = fc.tuple(ends, fc.integer({ min: 1, max: 255 }));
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
      const before = changes.map(([at]) => whole[at] ?? 0);
      for (const [at, by] of changes) whole[at] = (whole[at] ?? 0) ^ by;
      const found = read(whole);
      changes.forEach(([at], index) => {
        whole[at] = before[index] ?? 0;
      });
      if (found.ok) expect(found.value.partitions).toEqual(table.partitions);
    }),
    { numRuns: 500 },
  );
});
