// Opens files so that no link leads to another file than the one that the decision was about.

import { constants, type Stats, statSync } from "node:fs";
import { type FileHandle, open, readlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { accept, type Result, refuse } from "../../../lib/result/result.ts";

/** Identity of a file, which is the same under all its names. */
export type Identity = string;

/** Returns the identity of a file; throws if the file does not exist. */
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
  /** Files that the daemon itself needs and no client may touch: its token, its record, its page. */
  readonly own: readonly Identity[];
}

/** Opens a file whose path contains no link. `path` must be absolute, without `..`. */
export function openFileAt(path: string, own: readonly Identity[], flags: number): Promise<Result<FileHandle>> {
  return useFolderOf(path, ({ held }) => openFileIn(held, basename(path), own, flags));
}

/** An open directory; `held` is the kernel's path for its descriptor, which always leads to this directory. */
export interface Folder {
  readonly held: string;
  readonly handle: FileHandle;
}

/**
 * Returns what `use` returns for the directory of the path. Refuses if the path contains a link or the system reports
 * an error.
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

/** Opens a file in a folder; `held` is the path of the folder's descriptor. */
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
