// Files that are replaced whole or not at all: written beside, synced, renamed over the old one, and the directory synced. What
// was acknowledged is there after a crash at any step; what was not may be.
import { closeSync, constants, fstatSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import { MAX_FILE_BYTES } from "./sealed.ts";

/** Where the broker keeps what outlasts the machine's run. Names are plain words. */
export interface Disk {
  /** Nothing where there is no such file. Throws where it cannot be read. */
  readonly read: (name: string) => Uint8Array | undefined;
  /** Durable when it returns. Throws where that is not known. */
  readonly replace: (name: string, bytes: Uint8Array) => void;
  /** There is no such file when it returns, also after a crash; there need not have been one. Throws where that is not known. */
  readonly remove: (name: string) => void;
}

/** Where what is removed ends, over what was removed before: the broker's jail has `rename` and no `unlink`. */
const REMOVED = "removed";

/** What a step of a replacement does; tests give their own, and stop between any two. */
interface Steps {
  readonly write: (path: string, bytes: Uint8Array) => void;
  readonly rename: (from: string, to: string) => void;
  readonly syncDirectory: (path: string) => void;
}

const NOTHING = new Uint8Array();

const STEPS: Steps = {
  write: (path, bytes) => {
    const file = openSync(path, "w", 0o600);
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  },
  rename: renameSync,
  syncDirectory: (path) => {
    const directory = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      fsyncSync(directory);
    } finally {
      closeSync(directory);
    }
  },
};

export function openDirectoryDisk(directory: string, { write, rename, syncDirectory }: Steps = STEPS): Disk {
  return {
    read: (name) => {
      try {
        return readWholeFile(join(directory, name));
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    replace: (name, bytes) => {
      const path = join(directory, name);
      write(`${path}.new`, bytes);
      rename(`${path}.new`, path);
      syncDirectory(directory);
    },
    remove: (name) => {
      try {
        rename(join(directory, name), join(directory, REMOVED));
      } catch (error) {
        if (!isMissing(error)) throw error;
      }
      syncDirectory(directory);
      write(join(directory, REMOVED), NOTHING);
    },
  };
}

/** A disk is somebody else's until it is read: what is no file, or larger than what is written here, is not read at all. */
function readWholeFile(path: string): Uint8Array {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    const stat = fstatSync(file);
    if (!stat.isFile() || stat.size > MAX_FILE_BYTES) throw new Error("it is no file of this broker's");
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
