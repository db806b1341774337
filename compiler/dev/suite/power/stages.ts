// Checks, without booting a machine, the disks that a power failure in a recorded run could leave: after each flush,
// and between two flushes. For `make test-images`, a machine also continues from the disk after some of the flushes.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { accept, type Result as Outcome, refuse } from "../../../../engine/lib/result/result.ts";
import { DISK_BYTES, makeDataDisk } from "../../../machine/data-disk.ts";
import type { Failure } from "../failures.ts";
import { CHECKOUT, countOf, createResult, type Result, runCapc, type Stage } from "../stage.ts";
import { cutAfter, type DecryptedDisk, judgeCuts, readRecordHashes } from "./cuts.ts";
import { judgeFileSystem } from "./file-system.ts";
import { lockOf } from "./locked.ts";
import { readWriteLog, type WriteEntry } from "./write-log.ts";

/**
 * Number of cuts, all in the second half of a run; after each of them, `capc conversations list` reads the
 * conversation.
 */
const READ = 10;
/** Script for a machine that starts after a cut. */
const SCRIPT = "compiler/dev/suite/power/after-cut.chat";
const BOOTED = 20;

export interface RecordedRun {
  /** Example whose files were on the disk before the run. If the example has no files, the disk was blank. */
  readonly example: string;
  readonly image: string;
  /** Path of the file in which QEMU recorded all writes and flushes of the run. */
  readonly record: string;
  /** Path of the file with the disk's passphrase; `undefined` if the disk is not encrypted. */
  readonly passphrase: string | undefined;
}

export function createPowerCuts(recorded: RecordedRun): Stage {
  const name = `cuts ${basename(recorded.example)}`;
  return {
    name,
    run: async () => {
      const run = readRun(recorded);
      if (!run.ok) return createResult(countOf(0, 1, "well"), [], { name, words: run.reason });
      const { flushes, fileSystems, records, faults } = judgeCuts(run.value.disk, {
        entries: run.value.entries,
        judgeFiles: judgeFileSystem,
        seed: 1,
        inside: run.value.inside,
      });
      process.stdout.write(`${flushes} flushes, ${fileSystems} states of the file system, ${records} records\n`);
      const failures: readonly Failure[] = faults.map((words) => ({ name, words }));
      const unnamed = { name, words: "nothing was recorded" };
      return createResult(countOf(records > 0n ? flushes : 0, faults.length, "well"), failures, unnamed);
    },
  };
}

/**
 * Returns the stage that chooses some flushes of the run, and runs `capc conversations list` on the disk as it was
 * after each of them. The disk after a later flush must not have fewer messages.
 */
export function readCuts(recorded: RecordedRun): Stage {
  const name = `conversations after cuts ${basename(recorded.example)}`;
  return {
    name,
    run: async () => {
      const run = readRun(recorded);
      if (!run.ok) return createResult(countOf(0, 1, "well"), [], { name, words: run.reason });
      const flushes = run.value.entries.filter(({ isFlush }) => isFlush).length;
      const failures: Failure[] = [];
      let known = 0;
      const half = Math.floor(flushes / 2);
      for (const after of chooseFlushes(flushes - half, READ).map((flush) => half + flush)) {
        const told = await countSayings(recorded, cutAfter(run.value.disk, run.value.entries, after));
        if (!told.ok || told.value < known) {
          const words = told.ok ? `${told.value} sayings` : told.reason;
          failures.push({ name: `${name}, flush ${after}`, words: `${words}; ${known} were listed before` });
        } else known = told.value;
      }
      if (known === 0) failures.push({ name, words: "no cut left anything that was said" });
      process.stdout.write(`${known} sayings after the last of ${READ} cuts\n`);
      return { passed: READ - failures.length, failed: failures.length, failures };
    },
  };
}

/** Returns the number of sayings on the disk. Fails with the output of `capc` if the command fails. */
async function countSayings(recorded: RecordedRun, left: Buffer): Promise<Outcome<number>> {
  const folder = mkdtempSync(join(tmpdir(), "capc-cut-"));
  try {
    const disk = join(folder, "data.img");
    writeFileSync(disk, left);
    const words = ["conversations", "list", disk, ...getUnlockArguments(recorded), "--json"];
    const { status, output, complaints } = await runCapc(words, { quiet: true });
    if (status !== 0) return refuse(complaints);
    const listed: readonly { readonly sayings: number }[] = JSON.parse(output);
    return accept(listed.reduce((sum, { sayings }) => sum + sayings, 0));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Returns the stage that starts a machine twenty times, each time with the disk as it was after one flush of the run.
 */
export function createBootedCuts(recorded: RecordedRun): Stage {
  const name = `boots after cuts ${basename(recorded.example)}`;
  return {
    name,
    run: async () => {
      const run = readRun(recorded);
      if (!run.ok) return createResult(countOf(0, 1, "well"), [], { name, words: run.reason });
      const flushes = run.value.entries.filter(({ isFlush }) => isFlush).length;
      const failures: Failure[] = [];
      for (const after of chooseFlushes(flushes, BOOTED)) {
        const words = await bootAfter(recorded, cutAfter(run.value.disk, run.value.entries, after));
        if (words !== undefined) failures.push({ name: `${name}, flush ${after}`, words });
      }
      return createBootResult(failures);
    },
  };
}

function createBootResult(failures: readonly Failure[]): Result {
  return { passed: BOOTED - failures.length, failed: failures.length, failures };
}

/**
 * Returns the numbers of `count` flushes, the same in every run. They are all different if the run has enough flushes.
 */
function chooseFlushes(flushes: number, count: number): readonly number[] {
  const step = flushes / count;
  return Array.from({ length: count }, (_, index) => Math.floor(index * step + ((index * 7919) % 100) * (step / 100)));
}

/** Starts a machine with the disk `left`. Returns the reason why the start fails, or `undefined` if it works. */
async function bootAfter(recorded: RecordedRun, left: Buffer): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "capc-cut-"));
  try {
    const disk = join(folder, "data.img");
    const before = readRecordHashes(decryptDisk(left, recorded));
    writeFileSync(disk, left);
    const words = [
      "run",
      recorded.image,
      "--script",
      SCRIPT,
      "--disk",
      disk,
      ...getUnlockArguments(recorded),
      "--json",
    ];
    const { status, complaints } = await runCapc(words, { quiet: true });
    if (status !== 0) return complaints.slice(-2000);
    const after = readRecordHashes(decryptDisk(readFileSync(disk), recorded));
    const lost = [...before].filter(([sequence, hash]) => after.get(sequence) !== hash);
    return lost.length === 0 ? undefined : `records ${lost.map(([sequence]) => sequence).join(" ")} are lost`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the options of `capc` that unlock the disk; empty if the disk is not encrypted. */
export function getUnlockArguments({ passphrase }: Pick<RecordedRun, "passphrase">): readonly string[] {
  return passphrase === undefined ? [] : ["--passphrase-file", passphrase];
}

/** Returns the disk, or the decrypted content of an encrypted disk; empty if the encryption is not complete yet. */
function decryptDisk(disk: Buffer, { passphrase }: RecordedRun): Buffer {
  if (passphrase === undefined) return disk;
  const lock = lockOf(disk, readPassphrase(passphrase));
  return lock.ok ? lock.value.inside(disk) : Buffer.alloc(0);
}

function readPassphrase(path: string): string {
  return readFileSync(join(CHECKOUT, path), "utf8").trimEnd();
}

interface Run {
  /** Disk before the run. */
  readonly disk: Buffer;
  readonly entries: readonly WriteEntry[];
  /** Decrypted content of an encrypted disk. */
  readonly inside?: DecryptedDisk;
}

/** Returns the disk after the run. Fails if no write of the run was recorded. */
export function restoreDiskAfter(recorded: RecordedRun): Outcome<Buffer> {
  const run = readRun(recorded);
  return run.ok ? accept(cutAfter(run.value.disk, run.value.entries, Number.POSITIVE_INFINITY)) : run;
}

function readRun(recorded: RecordedRun): Outcome<Run> {
  const { example, record, passphrase } = recorded;
  const path = join(CHECKOUT, record);
  if (!existsSync(path)) return refuse(`${record} is not there: nothing was played`);
  const log = readWriteLog(readFileSync(path));
  const files = join(CHECKOUT, example, "disk");
  if (passphrase !== undefined && existsSync(files))
    return refuse(`${example}: an encrypted disk with files is another each time`);
  const disk = makeDiskBefore(files);
  if (!log.ok) return log;
  if (!disk.ok) return disk;
  const run = { disk: disk.value, entries: log.value };
  return passphrase === undefined ? accept(run) : decryptRun(run, readPassphrase(passphrase));
}

/**
 * Decrypts the disk and the writes of a run, with the key in the header of the disk after the run. The key does not
 * change after the first flush.
 */
function decryptRun({ disk, entries }: Run, passphrase: string): Outcome<Run> {
  const lock = lockOf(cutAfter(disk, entries, Number.POSITIVE_INFINITY), passphrase);
  if (!lock.ok) return lock;
  const inside = entries.map(lock.value.entryInside).filter((entry) => entry !== undefined);
  return inside.length === entries.length
    ? accept({ disk, entries, inside: { disk: lock.value.inside(disk), entries: inside } })
    : refuse("a write of the run is none of whole encrypted sectors");
}

/** Makes the disk as it was before the run, byte for byte: the same files always give the same bytes. */
function makeDiskBefore(files: string): Outcome<Buffer> {
  if (!existsSync(files)) return accept(Buffer.alloc(DISK_BYTES));
  const folder = mkdtempSync(join(tmpdir(), "capc-cut-"));
  try {
    const made = makeDataDisk(join(folder, "data.img"), files);
    return made.ok ? accept(readFileSync(join(folder, "data.img"))) : made;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
