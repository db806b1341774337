import type { Dirent } from "node:fs";
import { opendir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { type FolderEntry, type FolderListing, isWithin } from "../features/completion/paths.ts";

/** Maximum number of entries of one folder that are read. */
export const MOST_ENTRIES = 4096;

const NONE: FolderListing = { entries: [], isWhole: true };

/** Lists a folder of the disk, as `ListFolder` states. */
export async function listDiskFolder(folder: string, root: string): Promise<FolderListing> {
  const entries: FolderEntry[] = [];
  let left = MOST_ENTRIES;
  try {
    if (!isWithin(root, await realpath(folder))) return NONE;
    for await (const entry of await opendir(folder)) {
      if (left === 0) return { entries, isWhole: false };
      left -= 1;
      const kind = await findKind(entry, join(folder, entry.name), root);
      if (kind !== undefined) entries.push({ name: entry.name, kind });
    }
  } catch {
    // The folder is missing, or may not be read. When the person has typed the whole path, the compiler reports it.
    return NONE;
  }
  return { entries, isWhole: true };
}

/** Returns the kind of an entry with its links resolved, or `undefined` if a page cannot name it. */
async function findKind(entry: Dirent, path: string, root: string): Promise<FolderEntry["kind"] | undefined> {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "folder";
  if (!entry.isSymbolicLink()) return undefined;
  try {
    if (!isWithin(root, await realpath(path))) return undefined;
    const target = await stat(path);
    if (target.isFile()) return "file";
    return target.isDirectory() ? "folder" : undefined;
  } catch {
    return undefined;
  }
}
