import { constants } from "node:fs";
import { type FileHandle, open, realpath } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { FileRead, HeadRead, Host } from "./host.ts";
import { STANDARD_FOLDER } from "./standard.ts";

const STANDARD = new URL("../../../stdlib/", import.meta.url);

/** Returns the path on disk of a file of the standard library, given the path of its source: `std/tools.cap`. */
export function locateStandardFile(path: string): string {
  return fileURLToPath(new URL(path.slice(STANDARD_FOLDER.length), STANDARD));
}

/** Returns the host of the command line: a real disk. `today` defaults to the day of the build. */
export function createDiskHost(today: string = buildDay()): Host {
  return {
    realPath: async (path) => realpath(path).catch(() => undefined),
    readFile,
    readHead,
    readStandard: async (file) => readFile(new URL(file, STANDARD), Number.MAX_SAFE_INTEGER),
    today,
  };
}

/**
 * Returns the day of the build, from SOURCE_DATE_EPOCH if it is set: rebuilding an old release must not fail because a widening has
 * expired since. Otherwise it is the clock's day, which can only make a build fail, but never changes its bytes.
 */
function buildDay(): string {
  const { SOURCE_DATE_EPOCH: epoch } = process.env;
  const seconds = epoch !== undefined && /^\d{1,11}$/.test(epoch) ? Number(epoch) : Date.now() / 1000;
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}

function readFile(path: string | URL, limit: number): Promise<FileRead> {
  return openFile<FileRead>(path, async (file, size) => {
    if (size > limit) return { ok: false, reason: `it has ${size} bytes, at most ${limit} are read` };
    return { ok: true, value: await file.readFile() };
  });
}

function readHead(path: string, most: number): Promise<HeadRead> {
  return openFile<HeadRead>(path, async (file, bytes) => {
    const head = Buffer.alloc(Math.min(most, bytes));
    let done = 0;
    while (done < head.length) {
      const { bytesRead } = await file.read(head, done, head.length - done, done);
      if (bytesRead === 0) return { ok: false, reason: "it became shorter while it was read" };
      done += bytesRead;
    }
    return { ok: true, head, bytes };
  });
}

interface Failed {
  readonly ok: false;
  readonly reason: string;
}

/** Opens a file. `read` receives the file and its size. */
async function openFile<T>(
  path: string | URL,
  read: (file: FileHandle, size: number) => Promise<T>,
): Promise<T | Failed> {
  let file: FileHandle | undefined;
  try {
    // Opening a pipe without a writer would otherwise block for ever.
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = await file.stat();
    if (stat.isDirectory()) return { ok: false, reason: "it is a directory" };
    // The size of a pipe or a device is not known in advance.
    if (!stat.isFile()) return { ok: false, reason: "it is not a regular file" };
    return await read(file, stat.size);
  } catch (error) {
    return { ok: false, reason: describeError(error) };
  } finally {
    await file?.close();
  }
}

function describeError(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT" || code === "ENOTDIR") return "there is no such file";
  if (code === "EACCES" || code === "EPERM") return "this user may not read it";
  if (code === "EISDIR") return "it is a directory";
  return `it cannot be read (${String(code ?? "unknown error")})`;
}
