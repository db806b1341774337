// Judges a recorded run as if the power had failed during it: after each flush and between any two of them, on this machine. For `make
// test-images`, a machine also continues from the disk after some of the flushes.

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

/** Number of cuts in the second half of a run after which another machine reads the conversation. */
const READ = 10;
/** Script for a machine that starts after a cut. */
const SCRIPT = "compiler/dev/suite/power/after-cut.chat";
const BOOTED = 20;

export interface RecordedRun {
  /** Example whose files the disk initially had; without files it was blank. */
  readonly example: string;
  readonly image: string;
  /** QEMU's record of the run. */
  readonly record: string;
  /** Path of the file with the disk's passphrase, if the disk is encrypted. */
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
 * Reads the conversation from the disk after some flushes of the run with `capc conversations list`, which must not lose a listed part.
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

/** Returns the number of sayings on the disk. Fails with the output of `capc` if it does not state that. */
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

/** Starts a machine from the disk after twenty flushes of the run, which a seed selects. */
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

/** Returns different flushes as long as there are enough; they are the same in every run. */
function chooseFlushes(flushes: number, count: number): readonly number[] {
  const step = flushes / count;
  return Array.from({ length: count }, (_, index) => Math.floor(index * step + ((index * 7919) % 100) * (step / 100)));
}

/** Returns the reason for which a machine does not continue from this disk, or `undefined`. */
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

/** Returns the options for a machine whose disk is encrypted; otherwise empty. */
export function getUnlockArguments({ passphrase }: Pick<RecordedRun, "passphrase">): readonly string[] {
  return passphrase === undefined ? [] : ["--passphrase-file", passphrase];
}

/** Returns the disk itself, or its decrypted content; empty if it cannot be opened yet. */
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

/** The key is that of the disk after the run, whose header contains it from the first flush on. */
function decryptRun({ disk, entries }: Run, passphrase: string): Outcome<Run> {
  const lock = lockOf(cutAfter(disk, entries, Number.POSITIVE_INFINITY), passphrase);
  if (!lock.ok) return lock;
  const inside = entries.map(lock.value.entryInside).filter((entry) => entry !== undefined);
  return inside.length === entries.length
    ? accept({ disk, entries, inside: { disk: lock.value.inside(disk), entries: inside } })
    : refuse("a write of the run is none of whole encrypted sectors");
}

/** Makes the disk from before the run again. This is possible because equal files give equal bytes. */
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
