// Makes the data disk, with the same bytes for the same files, and reads its content after a run. The disk has a
// partition table, an audit partition and an ext4 file system.

import {
  closeSync,
  copyFileSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Result } from "../../engine/lib/result/result.ts";
import { encodeTable } from "../artefacts/disk/gpt.ts";
import { readPartition } from "../artefacts/disk/image.ts";
import { layOut } from "../artefacts/disk/layout.ts";
import { explainRefusal, isRefusal } from "../host/files.ts";
import { extractComplaint, type ProgramResult, runProgram } from "./programs.ts";

const PACKAGE = "e2fsprogs";
/** Name of the partition, by which init finds it, and of its file system. */
export const NAME = "capos-data";
/** Size of a data disk in bytes. Its file is sparse: a fresh one takes about 1 MiB of the host's disk. */
export const DISK_BYTES: number = 64 * 1024 * 1024;
/**
 * Block size in bytes, as in the file system that init creates. An encrypted disk with sectors of this size does not allow
 * smaller blocks.
 */
const BLOCK = 4096;
/** Fixed identifier, so that the bytes are reproducible. init finds the disk by name, not by identifier. */
const IDENTIFIER = "63617063-0000-4000-8000-000000000001";
const IDENTIFIERS = {
  disk: "63617063-0000-4000-8000-000000000002",
  audit: "63617063-0000-4000-8000-000000000003",
  files: "63617063-0000-4000-8000-000000000004",
};

/**
 * Makes a disk at `path` with the content of `folder`; root owns all files. debugfs writes the files one by one: with `mke2fs -d`,
 * owners, times and the order of inodes would depend on the host.
 */
export function makeDataDisk(path: string, folder: string | undefined): ProgramResult {
  try {
    return makeBeside(path, folder, mkdtempSync(join(dirname(path), ".disk-")));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { ok: false, reason: explainRefusal(error.path ?? path, error) };
  }
}

/** Makes a blank disk. A system whose page has the setting `create` makes its data disk from a blank disk. */
export function makeBlankDisk(path: string): ProgramResult {
  try {
    writeFileSync(path, "", { flag: "wx" });
    truncateSync(path, DISK_BYTES);
    return { ok: true, value: "" };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { ok: false, reason: explainRefusal(error.path ?? path, error) };
  }
}

function makeBeside(path: string, folder: string | undefined, scratch: string): ProgramResult {
  try {
    const image = join(scratch, "data.img");
    writeFileSync(image, "");
    truncateSync(image, DISK_BYTES);
    const { files, ...table } = layOut(DISK_BYTES, NAME, IDENTIFIERS);
    const options = `lazy_itable_init=0,lazy_journal_init=0,root_owner=0:0,hash_seed=${IDENTIFIER},offset=${files.offset}`;
    const words = [
      "-q",
      "-F",
      "-t",
      "ext4",
      "-b",
      `${BLOCK}`,
      "-L",
      NAME,
      "-U",
      IDENTIFIER,
      "-E",
      options,
      image,
      `${files.size / 1024}k`,
    ];
    const made = runProgram("mke2fs", words, PACKAGE);
    if (!made.ok) return made;
    writeEnds(image, encodeTable(table, DISK_BYTES));
    const filled = folder === undefined ? made : fill(`${image}?offset=${files.offset}`, folder, scratch);
    if (!filled.ok) return filled;
    // Quotas are turned on after the files are written, because debugfs does not count them.
    const counted = runProgram(
      "tune2fs",
      ["-O", "project,quota", "-Q", "prjquota", `${image}?offset=${files.offset}`],
      PACKAGE,
    );
    if (!counted.ok) return counted;
    renameSync(image, path);
    return made;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function writeEnds(image: string, { first, second }: ReturnType<typeof encodeTable>): void {
  const file = openSync(image, "r+");
  try {
    writeSync(file, first, 0, first.length, 0);
    writeSync(file, second, 0, second.length, DISK_BYTES - second.length);
  } finally {
    closeSync(file);
  }
}

/**
 * Writes the files of a folder into a disk's image with debugfs, which reads its commands as lines of text. The files are
 * first copied to numbered names, so that the lines name them by number.
 */
function fill(image: string, folder: string, scratch: string): ProgramResult {
  const commands: string[] = [];
  const wrong = list(folder, "", (entry, index) => {
    if (!/^[\w./-]+$/.test(entry.path)) return `'${entry.path}': names on a data disk are letters, digits and . _ -`;
    const owner = [`sif ${entry.path} uid 0`, `sif ${entry.path} gid 0`];
    if (entry.isFolder) {
      commands.push(`mkdir ${entry.path}`, `sif ${entry.path} mode 040755`, ...owner);
      return undefined;
    }
    copyFileSync(join(folder, entry.path), join(scratch, `${index}`));
    commands.push(`write ${index} ${entry.path}`, `sif ${entry.path} mode 0100644`, ...owner);
    return undefined;
  });
  if (wrong !== undefined) return { ok: false, reason: wrong };
  const ran = runProgram("debugfs", ["-w", "-f", "-", image], PACKAGE, {
    input: `${commands.join("\n")}\n`,
    folder: scratch,
  });
  if (!ran.ok) return ran;
  const complaint = extractComplaint(ran);
  return complaint === "" ? ran : { ok: false, reason: `debugfs: ${complaint}` };
}

interface Entry {
  /** Path of the file below the folder, with slashes. */
  readonly path: string;
  readonly isFolder: boolean;
}

/**
 * Calls `each` for every file and folder: folders before their content, names in code-unit order. Stops at the first
 * failure, and returns its reason.
 */
function list(
  root: string,
  below: string,
  each: (entry: Entry, index: number) => string | undefined,
  counter = { next: 0 },
): string | undefined {
  for (const name of readdirSync(join(root, below)).sort()) {
    const path = below === "" ? name : `${below}/${name}`;
    const kind = statSync(join(root, path));
    if (!kind.isFile() && !kind.isDirectory()) return `'${path}' is neither a file nor a folder`;
    const wrong =
      each({ path, isFolder: kind.isDirectory() }, counter.next++) ??
      (kind.isDirectory() ? list(root, path, each, counter) : undefined);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

/**
 * Returns the file system of a disk's image in the form that the programs of e2fsprogs accept: `IMAGE?offset=BYTES`.
 */
function locateFiles(image: string): Result<string> {
  const files = readPartition(image, "files", "file system");
  return files.ok ? { ok: true, value: `${image}?offset=${files.value.offset}` } : files;
}

export type Content =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "missing" }
  | { readonly kind: "unreadable"; readonly reason: string };

/** Returns the content of a file on the disk. `path` must need no escaping for debugfs: letters, digits and . _ - / */
export function readFromDisk(image: string, path: string): Content {
  const files = locateFiles(image);
  if (!files.ok) return { kind: "unreadable", reason: files.reason };
  const ran = runProgram("debugfs", ["-R", `cat ${path}`, files.value], PACKAGE);
  if (!ran.ok) return { kind: "unreadable", reason: ran.reason };
  const complaint = extractComplaint(ran);
  if (complaint.includes("File not found")) return { kind: "missing" };
  return complaint === "" ? { kind: "text", text: ran.value } : { kind: "unreadable", reason: complaint };
}

/**
 * Returns the reason why the file system was not unmounted cleanly, or `undefined` if it was. It was unmounted cleanly if its journal is
 * empty and its state is clean.
 */
export function explainUnclean(image: string): string | undefined {
  const files = locateFiles(image);
  if (!files.ok) return files.reason;
  const ran = runProgram("debugfs", ["-R", "show_super_stats -h", files.value], PACKAGE);
  if (!ran.ok) return ran.reason;
  const readField = (name: string): string => new RegExp(`^${name}: *(.*)$`, "m").exec(ran.value)?.[1] ?? "";
  if (readField("Filesystem features").includes("needs_recovery")) return "its journal has to be replayed";
  const state = readField("Filesystem state");
  return state === "clean" ? undefined : `its state is '${state}'`;
}
