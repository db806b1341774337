// Opens files without following links, so that the opened file is the one that the decision was about.

import { constants, type Stats, statSync } from "node:fs";
import { type FileHandle, open, readlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { accept, type Result, refuse } from "../../../lib/result/result.ts";

/** Identifies a file, independent of its name: device and inode. */
export type Identity = string;

/** Returns the identity of an existing file; throws if it does not exist. */
export function readIdentity(path: string): Identity {
  return formatIdentity(statSync(path));
}

function formatIdentity({ dev, ino }: Stats): Identity {
  return `${dev}:${ino}`;
}

/** Context in which actions find files. */
export interface Ground {
  /** Folder at which relative paths begin. */
  readonly folder: string;
  /** Files of the daemon itself that clients must not access: its token, its audit log and its page. */
  readonly own: readonly Identity[];
}

/** Opens the file at a path, which must be absolute and without `..`. Refuses if any part of the path is a link. */
export function openFileAt(path: string, own: readonly Identity[], flags: number): Promise<Result<FileHandle>> {
  return useFolderOf(path, ({ held }) => openFileIn(held, basename(path), own, flags));
}

/** An open directory. `held` is its path below /proc/self/fd, which always refers to this directory. */
export interface Folder {
  readonly held: string;
  readonly handle: FileHandle;
}

/**
 * Opens the directory of the path, and returns the result of `use`. Refuses if a part of the path is a link, or if the
 * system reports an error.
 */
export async function useFolderOf<T>(path: string, use: (folder: Folder) => Promise<Result<T>>): Promise<Result<T>> {
  try {
    const handle = await open(dirname(path), constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      const held = `/proc/self/fd/${handle.fd}`;
      if ((await readlink(held)) !== dirname(path)) return refuse("a link leads elsewhere on the way");
      return await use({ held, handle });
    } finally {
      await handle.close();
    }
  } catch (error) {
    return refuse(describeSystemError(error));
  }
}

/** Opens a regular file in an open directory, whose path below /proc/self/fd is `held`. Refuses links and the daemon's own files. */
export async function openFileIn(
  held: string,
  name: string,
  own: readonly Identity[],
  flags: number,
): Promise<Result<FileHandle>> {
  try {
    const file = await open(join(held, name), flags | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stats = await file.stat();
    const isOwn = own.includes(formatIdentity(stats));
    if (stats.isFile() && !isOwn) return accept(file);
    await file.close();
    return refuse(isOwn ? "this is the daemon's own" : "this is no file");
  } catch (error) {
    return refuse(describeSystemError(error));
  }
}

export const NO_FILE = "there is no such file";

/** Returns a description of a system error, without the path, which the client knows. */
export function describeSystemError(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  switch (code) {
    case "ENOENT":
      return NO_FILE;
    case "ELOOP":
      return "this is a link";
    case "EACCES":
    case "EPERM":
      return "it may not be opened";
    default:
      return typeof code === "string" ? `the system says ${code}` : String(error);
  }
}
