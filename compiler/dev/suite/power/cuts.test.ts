// Tests the checks of power cuts with a data disk in memory, and with writes such as a machine makes. The checks must
// accept an intact disk, and detect each kind of damage.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { refuse } from "../../../../engine/lib/result/result.ts";
import { encodeKey } from "../../../../engine/processes/audit/key-block.ts";
import { blocksOf, bytesOf, SEED, smallLog } from "../../../../engine/processes/audit/testing/sample.ts";
import { encryptDisk } from "../../../artefacts/disk/luks-create.ts";
import { makeDataDisk } from "../../../machine/data-disk.ts";
import { judgeCuts } from "./cuts.ts";
import { judgeFileSystem } from "./file-system.ts";
import { lockOf } from "./locked.ts";
import type { WriteEntry } from "./write-log.ts";

const MIB = 1024 * 1024;
const [AUDIT_AT, FILES_AT] = [MIB, 17 * MIB];
const folder = mkdtempSync(join(tmpdir(), "capc-cuts-"));
let made: Buffer;
beforeAll(() => {
  const disk = join(folder, "data.img");
  expect(makeDataDisk(disk, undefined)).toMatchObject({ ok: true });
  made = readFileSync(disk);
});
afterAll(() => rmSync(folder, { recursive: true }));

const write = (offset: number, bytes: Uint8Array): WriteEntry => ({ offset, bytes, discarded: 0, isFlush: false });
const FLUSH: WriteEntry = { offset: 0, bytes: new Uint8Array(0), discarded: 0, isFlush: true };
const zeros = (offset: number, bytes: number): WriteEntry => write(offset, Buffer.alloc(bytes));

/** Returns log entries that write the records of the sample, with a flush after each record. */
function recorded(): WriteEntry[] {
  const links = smallLog();
  return links.flatMap((link, index) => {
    const place = bytesOf(links.slice(0, index)).length / 512;
    return [write(AUDIT_AT + place * 512, blocksOf([link], place)), FLUSH];
  });
}

const judged = (entries: readonly WriteEntry[], disk: Buffer = made) =>
  judgeCuts(Buffer.from(disk), { entries, judgeFiles: judgeFileSystem, seed: 7 });

test("a disk with all writes in order is intact after each flush and between flushes", () => {
  expect(judged([...recorded(), write(FILES_AT + 30 * MIB, Buffer.alloc(4096, 1)), FLUSH])).toEqual({
    flushes: 6,
    fileSystems: 2,
    records: 5n,
    faults: [],
  });
});

test("if the key has made more seals than the log contains, the fault names the flush after which the disk was checked", () => {
  const key = encodeKey({ epoch: 3, seed: SEED });
  const { faults } = judged([...recorded(), write(FILES_AT - key.length, key), FLUSH]);
  expect(faults).toEqual([
    "after flush 6: the audit: the key on the disk has made seal 2, and the log ends with no seal: what came after was cut off",
  ]);
});

test("reports a record as lost if it is missing or overwritten after a later flush", () => {
  const lost = judged([...recorded(), zeros(AUDIT_AT, 512), FLUSH]).faults;
  expect(lost.join("\n")).toContain("after flush 6: the audit lost 1 2 3 4 5");
  const end = bytesOf(smallLog()).length;
  const [torn = ""] = judged([...recorded(), write(AUDIT_AT + end - 512, Buffer.alloc(512, 1)), FLUSH]).faults.slice(
    -1,
  );
  expect(torn).toContain("the audit lost 5");
});

test("detects a log tail that is overwritten in place between flushes", () => {
  const links = smallLog();
  const together = blocksOf(links.slice(0, 2), 0);
  const entries = [write(AUDIT_AT, blocksOf(links.slice(0, 1), 0)), FLUSH, write(AUDIT_AT, together), FLUSH];
  expect(judged(entries).faults.join("\n")).toContain("between flushes 1 and 2: the audit lost 1");
});

test("a file system that e2fsck rejects is reported with the flush", () => {
  const { faults } = judged([FLUSH, write(FILES_AT + 4096, Buffer.alloc(64 * 1024, 0xee)), FLUSH]);
  expect(faults).toEqual([expect.stringMatching(/^after flush 2: the file system: /)]);
});

test("checks an encrypted disk by its decrypted content, and accepts a disk that is intact or newly made", () => {
  const [plain, locked] = ["plain.img", "locked.img"].map((name) => join(folder, name));
  if (plain === undefined || locked === undefined) throw new Error("two paths");
  writeFileSync(plain, made);
  encryptDisk(plain, Buffer.from("correct horse"), "capos-data", locked);
  const outer = readFileSync(locked);
  const opened = lockOf(outer, "correct horse");
  if (!opened.ok) throw new Error(opened.reason);
  const lock = opened.value;
  expect(lockOf(outer, "another")).toEqual(refuse("its passphrase is another"));
  expect(lock.inside(outer).equals(made)).toBe(true);
  const entries = [write(10 * MIB, outer.subarray(10 * MIB, 10 * MIB + 8192)), FLUSH];
  expect(entries.map(lock.entryInside)[0]).toMatchObject({
    offset: 7 * MIB,
    bytes: made.subarray(7 * MIB, 7 * MIB + 8192),
  });
  expect(lock.entryInside(write(10 * MIB, Buffer.alloc(512)))).toBeUndefined();
  expect(lock.entryInside(write(0, Buffer.alloc(512)))).toMatchObject({ bytes: new Uint8Array(0) });
  // After decryption, these writes have the same content as the writes of the previous test.
  const inside = { disk: lock.inside(outer), entries: [...recorded(), zeros(AUDIT_AT, 512), FLUSH] };
  const outside = inside.entries.map((entry) => ({ ...entry, offset: 0, bytes: new Uint8Array(0) }));
  const { records, faults } = judgeCuts(Buffer.from(outer), {
    entries: outside,
    judgeFiles: judgeFileSystem,
    seed: 7,
    inside,
  });
  expect(records).toBe(5n);
  expect(faults.join("\n")).toContain("after flush 6: the audit lost 1 2 3 4 5");
  const spoiled = { disk: lock.inside(outer), entries: [FLUSH] };
  const gone = [{ ...zeros(0, MIB), isFlush: true }];
  expect(
    judgeCuts(Buffer.from(outer), { entries: gone, judgeFiles: judgeFileSystem, seed: 7, inside: spoiled }).faults,
  ).toEqual(["after flush 1: the disk is neither whole nor one to be made anew"]);
});

test("while a disk is being made, it may be blank, marked as unfinished, or intact, and any other state is a fault", () => {
  const mark = Buffer.alloc(512);
  mark.write("capos: this disk is being made, and holds nothing yet\n", "latin1");
  const blank = Buffer.alloc(made.length);
  const ends = [write(0, made.subarray(0, 34 * 512)), write(made.length - 33 * 512, made.subarray(-33 * 512))];
  const files = write(FILES_AT, made.subarray(FILES_AT, made.length - MIB));
  const order = [write(64 * 512, mark), FLUSH, files, FLUSH, ...ends, FLUSH, zeros(64 * 512, 512), FLUSH];
  expect(judged([...order, ...recorded()], blank)).toMatchObject({ flushes: 9, records: 5n, faults: [] });
  const unmarked = order.slice(2);
  expect(judged([...ends.slice(0, 1), FLUSH, ...unmarked], blank).faults[0]).toContain(
    "neither whole nor one to be made",
  );
  expect(judged([...recorded(), zeros(0, MIB), FLUSH]).faults.join("\n")).toContain("was whole, and is none any more");
});
