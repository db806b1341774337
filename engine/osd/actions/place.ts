// Files as they are opened, and not as they are named: what was decided about a path must not become another file through a link.

import { constants, type Stats, statSync } from "node:fs";
import { type FileHandle, open, readlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { accept, type Checked, refuse } from "../../policy/index.ts";

/** A file itself, under whatever name. */
export type Identity = string;

/** Throws where there is none. */
export function identityOf(path: string): Identity {
  return identityIn(statSync(path));
}

function identityIn({ dev, ino }: Stats): Identity {
  return `${dev}:${ino}`;
}

/** Where actions find files. */
export interface Ground {
  /** Where relative paths begin. */
  readonly folder: string;
  /** What the daemon itself lives by, and no client touches: its token, its record, its page. */
  readonly own: readonly Identity[];
}

/** A file of the directory that its path names, with no link on the way. `path`: absolute, without `..`. */
export async function openedAt(
  path: string,
  own: readonly Identity[],
  flags: number,
  mode?: number,
): Promise<Checked<FileHandle>> {
  try {
    const folder = await open(dirname(path), constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      // The kernel's own word on where that is.
      const held = `/proc/self/fd/${folder.fd}`;
      if ((await readlink(held)) !== dirname(path)) return refuse("a link leads elsewhere on the way");
      const file = await open(join(held, basename(path)), flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, mode);
      const stats = await file.stat();
      const isOwn = own.includes(identityIn(stats));
      if (stats.isFile() && !isOwn) return accept(file);
      await file.close();
      return refuse(isOwn ? "this is the daemon's own" : "this is no file");
    } finally {
      await folder.close();
    }
  } catch (error) {
    return refuse(wordsOf(error));
  }
}

/** Of an error of the system, without the path, which the client knows. */
export function wordsOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  switch (code) {
    case "ENOENT":
      return "there is no such file";
    case "ELOOP":
      return "this is a link";
    case "EACCES":
    case "EPERM":
      return "it may not be opened";
    default:
      return typeof code === "string" ? `the system says ${code}` : String(error);
  }
}
