// Resolves a path on the disk without following links. Every component is checked before use, and the last one is opened with O_NOFOLLOW.
import type { Stats } from "node:fs";
import { lstat, opendir, unlink } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Result } from "../../../lib/result/result.ts";
import { parseRelativePath, UNFINISHED } from "./path.ts";

export interface Place {
  /** Path on the disk, below the granted directory. */
  readonly path: string;
  /** The directory that contains the entry. */
  readonly parent: string;
  /** Stats of the file now; `undefined` if there is no file. */
  readonly stats: Stats | undefined;
}

/** Maximum number of entries of all directories together; with more, the directory is refused. */
const MAX_ENTRIES = 10_000;

export async function placeOf(root: string, path: string): Promise<Result<Place>> {
  const segments = parseRelativePath(path);
  if (!segments.ok) return segments;
  let at: Place = { path: root, parent: root, stats: await findStats(root) };
  for (const name of segments.value) {
    if (!at.stats?.isDirectory()) return { ok: false, reason: "there is no such directory" };
    const next = join(at.path, name);
    at = { path: next, parent: at.path, stats: await findStats(next) };
    if (at.stats?.isSymbolicLink()) return { ok: false, reason: "links are not followed" };
  }
  return { ok: true, value: at };
}

export async function findStats(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** Returns the bytes of all files below a directory, or `undefined` if there are too many to count. */
export async function countBytesBelow(root: string): Promise<number | undefined> {
  let bytes = 0;
  for await (const path of walkFilesBelow(root)) {
    if (path === undefined) return undefined;
    bytes += (await findStats(path))?.size ?? 0;
  }
  return bytes;
}

/** Deletes files below a directory that were being written when a process died; at most as many as are counted. */
export async function sweep(root: string): Promise<void> {
  for await (const path of walkFilesBelow(root)) {
    if (path !== undefined && basename(path).startsWith(UNFINISHED)) await unlink(path);
  }
}

/** Yields every entry below a directory, except directories; yields `undefined` last if there are more entries than may be counted. */
async function* walkFilesBelow(root: string): AsyncGenerator<string | undefined, void> {
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
      if (entry.isDirectory()) waiting.push(path);
      else yield path;
    }
  }
}
