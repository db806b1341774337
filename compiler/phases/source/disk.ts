import { closeSync, constants, fstatSync, openSync, readFileSync, readSync, realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { FileRead, HeadRead, Host } from "./host.ts";
import { STANDARD_FOLDER } from "./standard.ts";

const STANDARD = new URL("../../../stdlib/", import.meta.url);

/**
 * Returns the path on the disk of a file of the standard library. `path` is its path in findings, such as
 * `std/tools.cap`.
 */
export function locateStandardFile(path: string): string {
  return fileURLToPath(new URL(path.slice(STANDARD_FOLDER.length), STANDARD));
}

/** Returns the host that the commands use, which reads the real disk. `today` defaults to the day of the build. */
export function createDiskHost(today: string = buildDay()): Host {
  return {
    realPath: async (path) => findRealPath(path),
    readFile: async (path, limit) => readFile(path, limit),
    readHead: async (path, most) => readHead(path, most),
    readStandard: async (file) => readFile(new URL(file, STANDARD), Number.MAX_SAFE_INTEGER),
    today,
  };
}

/**
 * Returns the day of the build, from SOURCE_DATE_EPOCH if it is set: rebuilding an old release must not fail because a widening has expired
 * since. If the variable is not set, returns the day of the clock. The day can make a build fail, but never changes its bytes.
 */
function buildDay(): string {
  const { SOURCE_DATE_EPOCH: epoch } = process.env;
  const seconds = epoch !== undefined && /^\d{1,11}$/.test(epoch) ? Number(epoch) : Date.now() / 1000;
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}

function findRealPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

function readFile(path: string | URL, limit: number): FileRead {
  return openFile<FileRead>(path, (file, size) => {
    if (size > limit) return { ok: false, reason: `it has ${size} bytes, at most ${limit} are read` };
    return { ok: true, value: readFileSync(file) };
  });
}

function readHead(path: string, most: number): HeadRead {
  return openFile<HeadRead>(path, (file, bytes) => {
    const head = Buffer.alloc(Math.min(most, bytes));
    let done = 0;
    while (done < head.length) {
      const count = readSync(file, head, done, head.length - done, done);
      if (count === 0) return { ok: false, reason: "it became shorter while it was read" };
      done += count;
    }
    return { ok: true, head, bytes };
  });
}

interface Failed {
  readonly ok: false;
  readonly reason: string;
}

/**
 * Opens a file. `read` receives its descriptor and its size. Files are read synchronously, because they are short.
 * Node's asynchronous functions would load streams and use threads, which takes 2 % of the time of a large check.
 */
function openFile<T>(path: string | URL, read: (file: number, size: number) => T): T | Failed {
  let file: number | undefined;
  try {
    // Without O_NONBLOCK, opening a pipe without a writer would block for ever.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = fstatSync(file);
    if (stat.isDirectory()) return { ok: false, reason: "it is a directory" };
    // The size of a pipe or a device is not known before it is read.
    if (!stat.isFile()) return { ok: false, reason: "it is not a regular file" };
    return read(file, stat.size);
  } catch (error) {
    return { ok: false, reason: describeError(error) };
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function describeError(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT" || code === "ENOTDIR") return "there is no such file";
  if (code === "EACCES" || code === "EPERM") return "this user may not read it";
  if (code === "EISDIR") return "it is a directory";
  return `it cannot be read (${String(code ?? "unknown error")})`;
}
