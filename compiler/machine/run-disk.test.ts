import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readTable } from "../artefacts/disk/gpt.ts";
import { DISK_BYTES, readFromDisk } from "./data-disk.ts";
import { makeDisk, unlockDisk } from "./run-disk.ts";

const folder = mkdtempSync(join(tmpdir(), "capc-run-disk-"));
mkdirSync(join(folder, "files"));
writeFileSync(join(folder, "files/todo.txt"), "buy milk");
afterAll(() => rmSync(folder, { recursive: true }));

const files = join(folder, "files");
const BLANK = { makesDisk: true, encryptsDisk: true };

test("the files of an encrypted disk can be read only with the passphrase", () => {
  const disk = join(folder, "locked.img");
  expect(makeDisk(disk, { image: BLANK, files, passphrase: "correct horse" })).toMatchObject({ ok: true });
  expect(readFileSync(disk).includes("buy milk")).toBe(false);
  const plain = unlockDisk(disk, "correct horse", folder);
  expect(plain).toEqual({ ok: true, value: join(folder, "unlocked.img") });
  expect(readFromDisk(join(folder, "unlocked.img"), "/todo.txt")).toEqual({ kind: "text", text: "buy milk" });
  const other = mkdtempSync(join(folder, "other-"));
  expect(unlockDisk(disk, "another", other)).toEqual({ ok: false, reason: `${disk}: its passphrase is another` });
});

test("the disk is blank if the system creates its own, and encryption without a passphrase is refused", () => {
  const disk = join(folder, "blank.img");
  expect(makeDisk(disk, { image: BLANK, files: undefined, passphrase: "correct horse" })).toMatchObject({ ok: true });
  expect(readFileSync(disk).equals(Buffer.alloc(DISK_BYTES))).toBe(true);
  const none = join(folder, "none.img");
  const image = { makesDisk: false, encryptsDisk: true };
  expect(makeDisk(none, { image, files: undefined, passphrase: undefined })).toEqual({
    ok: false,
    reason: "it is to be encrypted; give --passphrase-file FILE",
  });
  expect(existsSync(none)).toBe(false);
});

test("the file system on an encrypted disk has blocks of at least the encryption sector's size, so that a kernel can mount it", () => {
  const disk = join(folder, "mounted.img");
  expect(makeDisk(disk, { image: BLANK, files, passphrase: "correct horse" })).toMatchObject({ ok: true });
  const place = mkdtempSync(join(folder, "blocks-"));
  const plain = unlockDisk(disk, "correct horse", place);
  const whole = plain.ok ? readFileSync(plain.value) : Buffer.alloc(0);
  const table = readTable((offset, length) => whole.subarray(offset, offset + length), whole.length);
  const at = table.ok ? table.value.partitions.find(({ kind }) => kind === "files")?.offset : undefined;
  // Fields of ext4's superblock: the magic number, and the logarithm of the block size.
  const superblock = whole.subarray((at ?? 0) + 1024);
  expect([superblock.readUInt16LE(56), 1024 << superblock.readUInt32LE(24)]).toEqual([0xef53, 4096]);
});
