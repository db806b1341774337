// A run whose writes were noted, judged as if the power had been cut in it: after each flush and between any two of them on
// this machine, and, for `make test-images`, after some of them on a machine that goes on from what is left.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { DISK_BYTES, makeDataDisk } from "../../cli/machine/data-disk.ts";
import type { Failure } from "../failures.ts";
import { CHECKOUT, countOf, type Result, resultOf, runCapc, type Stage } from "../stage.ts";
import { cutAfter, judgeCuts, recordsOn } from "./cuts.ts";
import { judgeFileSystem } from "./file-system.ts";
import { readWriteLog, type WriteEntry } from "./write-log.ts";

/** What a machine is asked that starts after a cut. */
const SCRIPT = "compiler/trial/power/after-cut.chat";
const BOOTED = 20;

export interface Recorded {
  /** Whose files the disk began with; without files it began blank. */
  readonly example: string;
  readonly image: string;
  /** What QEMU noted of the run. */
  readonly record: string;
}

export function powerCuts(recorded: Recorded): Stage {
  const name = `cuts ${basename(recorded.example)}`;
  return {
    name,
    run: async () => {
      const run = readRun(recorded);
      if (typeof run === "string") return resultOf(countOf(0, 1, true), [], { name, words: run });
      const { flushes, fileSystems, records, faults } = judgeCuts(run.disk, run.entries, judgeFileSystem, 1);
      process.stdout.write(`${flushes} flushes, ${fileSystems} states of the file system, ${records} records\n`);
      const failures: readonly Failure[] = faults.map((words) => ({ name, words }));
      const unnamed = { name, words: "nothing was recorded" };
      return resultOf(countOf(records > 0n ? flushes : 0, faults.length, true), failures, unnamed);
    },
  };
}

/** After twenty flushes of the run, chosen by a seed, a machine starts from what was left. */
export function bootedCuts(recorded: Recorded): Stage {
  const name = `boots after cuts ${basename(recorded.example)}`;
  return {
    name,
    run: async () => {
      const run = readRun(recorded);
      if (typeof run === "string") return resultOf(countOf(0, 1, true), [], { name, words: run });
      const flushes = run.entries.filter(({ isFlush }) => isFlush).length;
      const failures: Failure[] = [];
      for (const after of chosen(flushes)) {
        const words = await bootAfter(recorded, cutAfter(run.disk, run.entries, after));
        if (words !== undefined) failures.push({ name: `${name}, flush ${after}`, words });
      }
      return booted(failures);
    },
  };
}

function booted(failures: readonly Failure[]): Result {
  return { passed: BOOTED - failures.length, failed: failures.length, failures };
}

/** Different ones as long as there are so many; the same in every run. */
function chosen(flushes: number): readonly number[] {
  const step = flushes / BOOTED;
  return Array.from({ length: BOOTED }, (_, index) => Math.floor(index * step + ((index * 7919) % 100) * (step / 100)));
}

/** Why a machine does not go on from this disk, if so. */
async function bootAfter({ image }: Recorded, left: Buffer): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "capc-cut-"));
  try {
    const disk = join(folder, "data.img");
    const before = recordsOn(left);
    writeFileSync(disk, left);
    const words = ["run", image, "--script", SCRIPT, "--disk", disk, "--json"];
    const { status, complaints } = await runCapc(words, { quiet: true });
    if (status !== 0) return complaints.slice(-2000);
    const after = recordsOn(readFileSync(disk));
    const lost = [...before].filter(([sequence, hash]) => after.get(sequence) !== hash);
    return lost.length === 0 ? undefined : `records ${lost.map(([sequence]) => sequence).join(" ")} are lost`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Run {
  /** As it was before. */
  readonly disk: Buffer;
  readonly entries: readonly WriteEntry[];
}

function readRun({ example, record }: Recorded): Run | string {
  const path = join(CHECKOUT, record);
  if (!existsSync(path)) return `${record} is not there: nothing was played`;
  const log = readWriteLog(readFileSync(path));
  const disk = diskBefore(join(CHECKOUT, example, "disk"));
  if (!log.ok) return log.reason;
  return typeof disk === "string" ? disk : { disk, entries: log.entries };
}

/** The same files give the same bytes: the disk that the run was given is made once more. */
function diskBefore(files: string): Buffer | string {
  if (!existsSync(files)) return Buffer.alloc(DISK_BYTES);
  const folder = mkdtempSync(join(tmpdir(), "capc-cut-"));
  try {
    const made = makeDataDisk(join(folder, "data.img"), files);
    return made.ok ? readFileSync(join(folder, "data.img")) : made.reason;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
