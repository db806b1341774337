// Writes the results of a build. Every file is first written beside its final place; the files are renamed only when
// all of them are on the disk. A full disk, a read-only folder or Ctrl-C leaves the old files unchanged. Each rename is
// atomic, but several renames together are not.

import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Artifact } from "../../targets/contract/artifact.ts";
import { explainRefusal, makeFolders } from "./files.ts";

export type WriteResult = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/**
 * Calls `work` with a new folder beside the output, on the same file system. The folder is removed when `work` ends in any
 * way, and when capc ends.
 */
export async function useScratch<T>(
  folder: string,
  work: (scratch: string) => Promise<T>,
): Promise<T | { readonly ok: false; readonly reason: string }> {
  let scratch: string;
  try {
    makeFolders(folder);
    scratch = mkdtempSync(join(folder, ".unfinished-"));
  } catch (error) {
    return { ok: false, reason: explainRefusal(folder, error) };
  }
  const remove = (): void => rmSync(scratch, { recursive: true, force: true });
  // A second Ctrl-C ends the process in the middle of the work. This listener then removes the folder of unfinished
  // files.
  process.once("exit", remove);
  try {
    return await work(scratch);
  } finally {
    process.off("exit", remove);
    remove();
  }
}

/**
 * Moves the artefacts into `folder` or its subfolders; `scratch` is a folder on the same file system. Folders in
 * `replaced` lose their old files. Fails if an artefact cannot be written or moved.
 */
export function writeArtifacts(
  folder: string,
  scratch: string,
  artifacts: readonly Artifact[],
  replaced: readonly string[] = [],
): WriteResult {
  for (const artifact of artifacts) {
    const fault = placeStaged(scratch, join(scratch, "out", artifact.path), artifact.bytes);
    if (fault !== undefined) return { ok: false, reason: fault.replaceAll(join(scratch, "out"), folder) };
  }
  for (const name of replaced) rmSync(join(folder, name), { recursive: true, force: true });
  for (const { path } of artifacts) {
    try {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      renameSync(join(scratch, "out", path), join(folder, path));
    } catch (error) {
      return { ok: false, reason: explainRefusal(join(folder, path), error) };
    }
  }
  return { ok: true };
}

/**
 * Replaces the text of a file completely or not at all. The file keeps its permissions, and a link stays a link. Fails
 * if the file does not exist or cannot be written.
 */
export function replaceText(path: string, text: string): WriteResult {
  try {
    const real = realpathSync(path);
    return placeText(real, text, statSync(real).mode & 0o777);
  } catch (error) {
    return { ok: false, reason: explainRefusal(path, error) };
  }
}

/** Writes bytes to a file, like `placeText`. */
export function placeBytes(path: string, bytes: Uint8Array): WriteResult {
  return place(path, bytes, 0o666);
}

/**
 * Writes a file completely or not at all. The function replaces a link instead of following it. Fails if the path is a
 * pipe or a device, or if the operating system refuses.
 */
export function placeText(path: string, text: string, mode = 0o666): WriteResult {
  return place(path, text, mode);
}

function place(path: string, content: string | Uint8Array, mode: number): WriteResult {
  const beside = join(dirname(path), `.unfinished-${process.pid}-${basename(path)}`);
  try {
    const kind = statSync(path, { throwIfNoEntry: false });
    if (kind !== undefined && !kind.isFile() && !kind.isDirectory())
      return { ok: false, reason: `${path} is not a regular file` };
    writeFileSync(beside, content, { flag: "wx", mode });
    renameSync(beside, path);
    return { ok: true };
  } catch (error) {
    rmSync(beside, { force: true });
    return { ok: false, reason: explainRefusal(path, error) };
  }
}

/**
 * Writes an artefact to a path in the scratch folder. If a file contains the artefact, the file is moved if it is in
 * the scratch folder, otherwise copied. Returns the reason if that fails.
 */
function placeStaged(scratch: string, path: string, bytes: Artifact["bytes"]): string | undefined {
  try {
    mkdirSync(dirname(path), { recursive: true });
    if (bytes instanceof Uint8Array) writeFileSync(path, bytes);
    else if (bytes.file.startsWith(`${scratch}/`)) renameSync(bytes.file, path);
    else copyFileSync(bytes.file, path, constants.COPYFILE_FICLONE);
    // Some file systems report a full disk only when the bytes are flushed.
    const file = openSync(path, "r");
    fsyncSync(file);
    closeSync(file);
    return undefined;
  } catch (error) {
    return explainRefusal(path, error);
  }
}
