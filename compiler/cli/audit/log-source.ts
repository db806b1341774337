// Where an audit log is read from: a file of its own, or a data disk whose file system is read without being mounted.
// What was named is never written to.

import { join } from "node:path";
import { copyPartition } from "../disk/copy.ts";
import { type Partition, SECTOR } from "../disk/gpt.ts";
import { partitionOf } from "../disk/image.ts";
import { type FileRead, readBytes, whyNot, withFile } from "../files.ts";
import type { runProgram } from "../machine/programs.ts";

export type RunProgram = typeof runProgram;

const LOG_ON_DISK = "/audit/audit.log";
const PACKAGE = "e2fsprogs";

/** The superblock of ext4 begins at byte 1024; places in it are those of struct ext4_super_block. */
const SUPERBLOCK = 1024;
const SUPERBLOCK_BYTES = 1024;
const INCOMPATIBLE_AT = 0x60;
const NEEDS_RECOVERY = 0x4;

/** Path of a file that holds the log: the named one, or a copy in `scratch` where a disk was named. */
export function logFileOf(path: string, scratch: string, run: RunProgram): FileRead<string> {
  const start = readBytes(path, 2 * SECTOR);
  if (!start.ok) return start;
  const { bytes, size } = start.value;
  if (Buffer.from(bytes).toString("latin1", SECTOR, SECTOR + 8) !== "EFI PART") return { ok: true, value: path };
  const files = partitionOf(path, "files", "file system");
  if (!files.ok) return files;
  const { offset } = files.value;
  const superblock = withFile(path, (readAt) => Buffer.from(readAt(offset + SUPERBLOCK, SUPERBLOCK_BYTES)));
  if (superblock.length < SUPERBLOCK_BYTES) return { ok: false, reason: `${path} ends within its file system` };
  const hasJournal = (superblock.readUInt32LE(INCOMPATIBLE_AT) & NEEDS_RECOVERY) !== 0;
  const inPlace: FileRead<string> = { ok: true, value: `${path}?offset=${offset}` };
  const disk = hasJournal ? recovered(path, files.value, scratch, run) : inPlace;
  return disk.ok ? dumped(disk.value, size, scratch, run) : disk;
}

/**
 * After a power cut what was acknowledged may stand in the journal alone, and debugfs does not look there: it is replayed
 * into a copy of the file system: its programs lose sight of the partition when they do that.
 */
function recovered(path: string, files: Partition, scratch: string, run: RunProgram): FileRead<string> {
  const copy = join(scratch, "disk.img");
  try {
    copyPartition(path, files, copy);
  } catch (error) {
    return {
      ok: false,
      reason: `the disk has a journal to replay, and cannot be copied for it: ${whyNot(path, error)}`,
    };
  }
  const ran = asked(run, ["-w", "-R", "journal_run", copy], scratch);
  return ran.ok ? { ok: true, value: copy } : ran;
}

function dumped(disk: string, size: number, scratch: string, run: RunProgram): FileRead<string> {
  const found = asked(run, ["-R", `stat ${LOG_ON_DISK}`, disk], scratch);
  if (!found.ok) return found;
  const [, type = "nothing"] = /\bType: (.+?) {2,}/.exec(found.value) ?? [];
  if (type !== "regular") return { ok: false, reason: `${LOG_ON_DISK} is no ordinary file on this disk but: ${type}` };
  // A hostile disk may claim a file that is larger than itself, and its copy would fill this machine's.
  const bytes = Number(/\bSize: (\d+)/.exec(found.value)?.[1] ?? Number.NaN);
  if (!(bytes <= size)) return { ok: false, reason: `${LOG_ON_DISK} claims to be larger than its disk` };
  const ran = asked(run, ["-R", `dump ${LOG_ON_DISK} audit.log`, disk], scratch);
  return ran.ok ? { ok: true, value: join(scratch, "audit.log") } : ran;
}

/** debugfs answers a failed request with words and success: any word but its own name is a failure. */
function asked(run: RunProgram, words: readonly string[], folder: string): FileRead<string> {
  const ran = run("debugfs", words, PACKAGE, { folder });
  if (!ran.ok) return ran;
  const complaint = (ran.errors ?? "").split("\n").slice(1).join(" ").trim();
  if (complaint === "") return { ok: true, value: ran.output };
  const isMissing = complaint.includes("File not found");
  return { ok: false, reason: isMissing ? `there is no ${LOG_ON_DISK} on this disk` : `debugfs: ${complaint}` };
}
