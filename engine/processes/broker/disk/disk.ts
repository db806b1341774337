// Writes files that are replaced as a whole, and files that only grow at their end. A replacement is written beside the file,
// synced, and renamed over the old one; then the directory is synced. Acknowledged data survives a crash at any step; data that
// was not acknowledged may survive too.
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { MAX_FILE_BYTES } from "./sealed.ts";

/** The broker's storage that outlasts a run of the machine. Names consist of lower-case letters, digits and hyphens. */
export interface Disk {
  /** Returns the content of a file, or `undefined` if there is none. Throws if the file cannot be read. */
  readonly read: (name: string) => Uint8Array | undefined;
  /**
   * Replaces a file; the change is durable when the method returns. Throws if it is not certain that the change is
   * durable.
   */
  readonly replace: (name: string, bytes: Uint8Array) => void;
  /** Removes a file, if it exists. The file stays removed after a crash; throws if that is not certain. */
  readonly remove: (name: string) => void;
  /**
   * Replaces everything after the first `from` bytes of a file with `bytes`; if `from` is 0, it writes a new file. The change
   * is durable when the method returns. After a crash the first `from` bytes are unchanged, and some of the later bytes
   * may be present. Throws if the content is not certain.
   */
  readonly append: (name: string, from: number, bytes: Uint8Array) => void;
  /**
   * Returns the bytes of the files with this name prefix, each rounded up to whole blocks. Throws if the files cannot
   * be listed.
   */
  readonly measure: (prefix: string) => number;
}

/** The minimum space that a file takes. */
const BLOCK_BYTES = 4096;

export function countBlockBytes(size: number): number {
  return Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES;
}

/**
 * Name to which a removed file is renamed, over the previously removed file: the broker's jail allows `rename` and not
 * `unlink`.
 */
const REMOVED = "removed";

/** The operations that a change of a file consists of. Tests replace them, and stop between any two of them. */
export interface Steps {
  /** Truncates a file to this many bytes, and creates it if there is none. */
  readonly cut: (path: string, size: number) => void;
  /** Writes to the end of a file of this size. */
  readonly extend: (path: string, size: number, bytes: Uint8Array) => void;
  readonly write: (path: string, bytes: Uint8Array) => void;
  readonly rename: (from: string, to: string) => void;
  readonly syncDirectory: (path: string) => void;
}

const NOTHING = new Uint8Array();

/** Flags for appending: they follow no link, and do not block on a pipe. */
const GROWING = constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export const STEPS: Steps = {
  cut: (path, size) => {
    const file = openSync(path, GROWING | constants.O_CREAT, 0o600);
    try {
      const stat = fstatSync(file);
      if (!stat.isFile() || stat.size < size) throw new Error("it is no file of this broker's");
      if (stat.size === size) return;
      ftruncateSync(file, size);
      // Sync before new bytes are appended: otherwise a crash could bring back the cut bytes behind the new ones.
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  },
  extend: (path, size, bytes) => {
    const file = openSync(path, GROWING);
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, size + at);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  },
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

export function openDirectoryDisk(directory: string, steps: Partial<Steps> = {}): Disk {
  const { write, rename, syncDirectory, cut, extend } = { ...STEPS, ...steps };
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
    append: (name, from, bytes) => {
      const path = join(directory, name);
      cut(path, from);
      extend(path, from, bytes);
      syncDirectory(directory);
    },
    measure: (prefix) =>
      readdirSync(directory)
        .filter((name) => name.startsWith(prefix))
        .reduce((sum, name) => sum + countBlockBytes(lstatSync(join(directory, name)).size), 0),
  };
}

/**
 * Returns the content of a file. Another system may have written the disk. So anything that is not a file, or is larger than this program
 * writes, is refused.
 */
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
