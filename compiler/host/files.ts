// Reads files that a person named. Errors become sentences and are never thrown.

import { closeSync, constants, existsSync, fstatSync, mkdirSync, openSync, readSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Result } from "../../engine/lib/result/result.ts";

/**
 * Opens a file that a person named, and returns the result of `work` for it. An error of the operating system, also while `work` reads,
 * becomes a failure with a sentence.
 */
export function readOpened<T>(path: string, work: (file: number) => Result<T>): Result<T> {
  let file: number;
  try {
    file = openToRead(path);
  } catch (error) {
    return { ok: false, reason: explainRefusal(path, error) };
  }
  try {
    return work(file);
  } catch (error) {
    return { ok: false, reason: explainRefusal(path, error) };
  } finally {
    closeSync(file);
  }
}

/** Opens a file without blocking; otherwise, opening a pipe without a writer would block capc forever. */
function openToRead(path: string): number {
  return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
}

/**
 * Returns at most the first `most` bytes, and the size of the file. Fails if the path is a folder, a pipe or a device.
 */
export function readBytes(path: string, most: number): Result<{ bytes: Uint8Array; size: number }> {
  return readOpened(path, (file) => {
    const kind = fstatSync(file);
    if (kind.isDirectory()) return { ok: false, reason: `${path} is a directory, not a file` };
    if (!kind.isFile()) return { ok: false, reason: `${path} is not a regular file` };
    const bytes = new Uint8Array(Math.min(kind.size, most));
    return { ok: true, value: { bytes: bytes.subarray(0, fill(file, bytes)), size: kind.size } };
  });
}

/** Reads a page that a person named, like `readBytes`. If the path is a folder with a page, the error names that page. */
export function readPageBytes(path: string, most: number): ReturnType<typeof readBytes> {
  const read = readBytes(path, most);
  const page = join(path, "system.cap");
  return read.ok || !existsSync(page) ? read : { ok: false, reason: `${read.reason}; its page is ${page}` };
}

/** Reads a file that must be a page. For YAML and JSON, it fails and names the command that reads them. */
export function readOwnForm(path: string, most: number): ReturnType<typeof readBytes> {
  const read = readPageBytes(path, most);
  if (!read.ok || !/\.(?:ya?ml|json)$/i.test(path)) return read;
  return {
    ok: false,
    reason: `${path} is YAML or JSON, and not a page: \`capc import\` prints the page that it means`,
  };
}

function fill(file: number, bytes: Uint8Array): number {
  let filled = 0;
  while (filled < bytes.length) {
    const count = readSync(file, bytes, filled, bytes.length - filled, filled);
    if (count === 0) break;
    filled += count;
  }
  return filled;
}

/**
 * Calls `work` with a reader of a file that `readBytes` could read. The reader returns any range, or fewer bytes at the end
 * of the file.
 */
export function useFile<T>(path: string, work: (readAt: (offset: number, length: number) => Uint8Array) => T): T {
  const { readAt, close } = openFile(path);
  try {
    return work(readAt);
  } finally {
    close();
  }
}

/** Like `useFile`, but the file stays open for later reads. The caller must close it. */
export function openFile(path: string): {
  readonly readAt: (offset: number, length: number) => Uint8Array;
  readonly close: () => void;
} {
  const file = openToRead(path);
  return { readAt: createReader(file), close: () => closeSync(file) };
}

/** Returns a reader of any range of an open file, which returns fewer bytes at the end of the file. */
export function createReader(file: number): (offset: number, length: number) => Uint8Array {
  return (offset, length) => {
    const bytes = new Uint8Array(length);
    return bytes.subarray(0, readSync(file, bytes, 0, length, offset));
  };
}

const LONGEST_TEXT = 4 * 1024 * 1024;

export function readText(path: string): Result<string> {
  const read = readBytes(path, LONGEST_TEXT);
  if (!read.ok) return read;
  if (read.value.size > LONGEST_TEXT) return { ok: false, reason: `${path} is larger than 4 MiB` };
  try {
    return { ok: true, value: new TextDecoder("utf-8", { fatal: true }).decode(read.value.bytes) };
  } catch {
    return { ok: false, reason: `${path} is not UTF-8 text` };
  }
}

/** Returns whether the operating system refused an operation; any other exception is a defect of capc. */
export function isRefusal(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "code" in error && "syscall" in error;
}

/** Makes a folder and those above it one by one, because a recursive `mkdir` of Node.js reports a read-only disk as a missing path. */
export function makeFolders(path: string): void {
  if (existsSync(path)) return;
  makeFolders(dirname(path));
  mkdirSync(path);
}

/** Number of characters to show of a name that is too long for the file system. */
const LONGEST_SHOWN = 64;

/** Returns a sentence for an error of the operating system about a path. */
export function explainRefusal(path: string, error: unknown): string {
  const temporary = tmpdir();
  if (path.startsWith(`${temporary}/`) && !existsSync(temporary))
    return `${temporary}, the folder for temporary files, does not exist: make it, or name another one in TMPDIR`;
  const code = isRefusal(error) ? error.code : undefined;
  switch (code) {
    case "ENOENT":
      return `${path} does not exist`;
    case "EACCES":
    case "EPERM":
      return `${path}: no permission`;
    case "EROFS":
      return `${path} is on a read-only file system`;
    case "ENOSPC":
    case "EDQUOT":
      return `${path}: the disk is full`;
    case "EISDIR":
      return `${path} is a directory, not a file`;
    case "ENOTDIR":
      return `${path}: a part of this path is not a directory`;
    case "ELOOP":
      return `${path} is a link that leads round in a circle`;
    case "ENAMETOOLONG":
      return `${path.slice(0, LONGEST_SHOWN)}…: the name is too long`;
    default:
      return `${path}: ${error instanceof Error ? error.message : String(error)}`;
  }
}
