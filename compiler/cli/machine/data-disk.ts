// The data disk: an ext4 image with the same bytes for the same files, and what stands on it after a run.

import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { isRefusal, whyNot } from "../files.ts";
import { type Ran, runProgram } from "./programs.ts";

const PACKAGE = "e2fsprogs";
const LABEL = "capos-data";
/** Sparse: a fresh one takes about 1 MiB of the host's disk. */
const SIZE = 64 * 1024 * 1024;
/** Fixed, so that the bytes are. A label, not an identifier, is what init looks for. */
const IDENTIFIER = "63617063-0000-4000-8000-000000000001";

/**
 * Makes a disk at `path` that holds what `folder` holds, all of it root's. debugfs writes the files one by one: with
 * `mke2fs -d` owners, times and the order of inodes would come from the host.
 */
export function makeDataDisk(path: string, folder: string | undefined): Ran {
  try {
    return makeBeside(path, folder, mkdtempSync(join(dirname(path), ".disk-")));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { ok: false, reason: whyNot(error.path ?? path, error) };
  }
}

function makeBeside(path: string, folder: string | undefined, scratch: string): Ran {
  try {
    const image = join(scratch, "data.img");
    writeFileSync(image, "");
    truncateSync(image, SIZE);
    const extended = `lazy_itable_init=0,lazy_journal_init=0,root_owner=0:0,hash_seed=${IDENTIFIER}`;
    const words = ["-q", "-F", "-t", "ext4", "-L", LABEL, "-U", IDENTIFIER, "-E", extended, image];
    const made = runProgram("mke2fs", words, PACKAGE);
    if (!made.ok) return made;
    const filled = folder === undefined ? made : fill(image, folder, scratch);
    if (!filled.ok) return filled;
    renameSync(image, path);
    return made;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** debugfs takes its commands as lines: the files are copied to numbered names, so that none of theirs is in one. */
function fill(image: string, folder: string, scratch: string): Ran {
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
  // debugfs answers a failed command with words and success: any word but its own name is a failure.
  const complaint = (ran.errors ?? "").split("\n").slice(1).join(" ").trim();
  return complaint === "" ? ran : { ok: false, reason: `debugfs: ${complaint}` };
}

interface Entry {
  /** Below the folder, with slashes. */
  readonly path: string;
  readonly isFolder: boolean;
}

/** Folders before what they hold, names in code-unit order; stops at the first sentence that `each` returns. */
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

export type Content =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "missing" }
  | { readonly kind: "unreadable"; readonly reason: string };

/** What a file of the disk holds. `path` is one that debugfs takes as it is: letters, digits and . _ - / */
export function readFromDisk(image: string, path: string): Content {
  const ran = runProgram("debugfs", ["-R", `cat ${path}`, image], PACKAGE);
  if (!ran.ok) return { kind: "unreadable", reason: ran.reason };
  const complaint = (ran.errors ?? "").split("\n").slice(1).join(" ").trim();
  if (complaint.includes("File not found")) return { kind: "missing" };
  return complaint === "" ? { kind: "text", text: ran.output } : { kind: "unreadable", reason: complaint };
}

/** Why the file system was not left cleanly, or nothing if it was: no journal to replay, state clean. */
export function whyNotClean(image: string): string | undefined {
  const ran = runProgram("debugfs", ["-R", "show_super_stats -h", image], PACKAGE);
  if (!ran.ok) return ran.reason;
  const field = (name: string): string => new RegExp(`^${name}: *(.*)$`, "m").exec(ran.output)?.[1] ?? "";
  if (field("Filesystem features").includes("needs_recovery")) return "its journal has to be replayed";
  const state = field("Filesystem state");
  return state === "clean" ? undefined : `its state is '${state}'`;
}
