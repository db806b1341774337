import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { DISK_BYTES, readFromDisk } from "./data-disk.ts";
import { makeDisk, plainDisk } from "./run-disk.ts";

const folder = mkdtempSync(join(tmpdir(), "capc-run-disk-"));
mkdirSync(join(folder, "files"));
writeFileSync(join(folder, "files/todo.txt"), "buy milk");
afterAll(() => rmSync(folder, { recursive: true }));

const files = join(folder, "files");
const BLANK = { makesDisk: true, encryptsDisk: true };

test("a disk that is to be encrypted holds its files behind the passphrase, and no word of them before it", () => {
  const disk = join(folder, "locked.img");
  expect(makeDisk(disk, { image: BLANK, files, passphrase: "correct horse" })).toMatchObject({ ok: true });
  expect(readFileSync(disk).includes("buy milk")).toBe(false);
  const plain = plainDisk(disk, "correct horse", folder);
  expect(plain).toEqual({ ok: true, value: join(folder, "unlocked.img") });
  expect(readFromDisk(join(folder, "unlocked.img"), "/todo.txt")).toEqual({ kind: "text", text: "buy milk" });
  const other = mkdtempSync(join(folder, "other-"));
  expect(plainDisk(disk, "another", other)).toEqual({ ok: false, reason: `${disk}: its passphrase is another` });
});

test("what the system makes itself begins blank, and no disk is encrypted with nothing", () => {
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
