// Resolves a path on the disk without following links. Every component is checked before use, and the last one is opened with O_NOFOLLOW.
import type { Stats } from "node:fs";
import { lstat, opendir, unlink } from "node:fs/promises";
import { basename, join } from "node:path";
import { accept, type Result, refuse } from "../../../lib/result/result.ts";
import { parseRelativePath, UNFINISHED } from "./path.ts";

export interface Place {
  /** Path on the disk, below the granted directory. */
  readonly path: string;
  /** The directory that contains the entry. */
  readonly parent: string;
  /** Stats of the file now; `undefined` if there is no file. */
  readonly stats: Stats | undefined;
  /** Folders on the way to the entry that do not exist, outermost first. */
  readonly missing: readonly string[];
}

/** Size of all files below a directory, and number of folders below it, at all depths. */
interface Usage {
  /** Bytes of all files. */
  readonly bytes: number;
  /** Number of folders. */
  readonly folders: number;
}

interface Entry {
  readonly path: string;
  readonly isFolder: boolean;
}

/**
 * Maximum number of entries that are visited below a directory, at all depths. If there are more, the service refuses a
 * write for which it must count them.
 */
const MAX_ENTRIES = 10_000;

const NO_DIRECTORY = "there is no such directory";

/** Returns where a path leads on the disk. Fails like `placeToWrite`, and if a folder on the way does not exist. */
export async function placeOf(root: string, path: string): Promise<Result<Place>> {
  const place = await placeToWrite(root, path);
  return place.ok && place.value.missing.length > 0 ? refuse(NO_DIRECTORY) : place;
}

/**
 * Returns where a path leads on the disk; its folders need not exist. Fails if the path contains a link, or a file in
 * place of a folder.
 */
export async function placeToWrite(root: string, path: string): Promise<Result<Place>> {
  const segments = parseRelativePath(path);
  if (!segments.ok) return segments;
  const missing: string[] = [];
  let at: Place = { path: root, parent: root, stats: await findStats(root), missing };
  for (const name of segments.value) {
    if (at.stats === undefined && at.path !== root) missing.push(at.path);
    else if (!at.stats?.isDirectory()) return refuse(NO_DIRECTORY);
    const next = join(at.path, name);
    // A missing folder contains nothing, so nothing below it is looked up.
    const stats = missing.length > 0 ? undefined : await findStats(next);
    at = { path: next, parent: at.path, stats, missing };
    if (stats?.isSymbolicLink()) return refuse("links are not followed");
  }
  return accept(at);
}

export async function findStats(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** Returns the bytes of all files below a directory and the number of folders, or `undefined` if there are too many to count. */
export async function measureUsageBelow(root: string): Promise<Usage | undefined> {
  let [bytes, folders] = [0, 0];
  for await (const entry of walkBelow(root)) {
    if (entry === undefined) return undefined;
    if (entry.isFolder) folders += 1;
    else bytes += (await findStats(entry.path))?.size ?? 0;
  }
  return { bytes, folders };
}

/** Deletes files below a directory that were being written when a process died; visits at most `MAX_ENTRIES` entries. */
export async function sweep(root: string): Promise<void> {
  for await (const entry of walkBelow(root)) {
    if (entry?.isFolder === false && basename(entry.path).startsWith(UNFINISHED)) await unlink(entry.path);
  }
}

/** Yields every entry below a directory; yields `undefined` last if there are more entries than may be counted. */
async function* walkBelow(root: string): AsyncGenerator<Entry | undefined, void> {
  const waiting = [root];
  let entries = 0;
  for (let directory = waiting.pop(); directory !== undefined; directory = waiting.pop()) {
    for await (const entry of await opendir(directory)) {
      entries += 1;
      if (entries > MAX_ENTRIES) {
        yield undefined;
        return;
      }
      const path = join(directory, entry.name);
      const isFolder = entry.isDirectory();
      if (isFolder) waiting.push(path);
      yield { path, isFolder };
    }
  }
}
