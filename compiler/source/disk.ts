import { constants } from "node:fs";
import { type FileHandle, open, realpath } from "node:fs/promises";
import type { FileRead, Host } from "./host.ts";

const STANDARD = new URL("../../stdlib/", import.meta.url);

/** The host of the command line: a real disk. `today` defaults to the day of the build. */
export function diskHost(today: string = buildDay()): Host {
  return {
    realPath: async (path) => realpath(path).catch(() => undefined),
    readFile,
    readStandard: async (file) => readFile(new URL(file, STANDARD), Number.MAX_SAFE_INTEGER),
    today,
  };
}

/**
 * A rebuild of an old release must not fail because a widening has run out since, hence SOURCE_DATE_EPOCH. Without it
 * the clock is asked: it can only refuse a build, never change its bytes.
 */
function buildDay(): string {
  const { SOURCE_DATE_EPOCH: epoch } = process.env;
  const seconds = epoch !== undefined && /^\d{1,11}$/.test(epoch) ? Number(epoch) : Date.now() / 1000;
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}

async function readFile(path: string | URL, limit: number): Promise<FileRead> {
  let file: FileHandle | undefined;
  try {
    // A pipe that nobody writes to would keep whoever opens it waiting for ever.
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = await file.stat();
    if (stat.isDirectory()) return { ok: false, reason: "it is a directory" };
    // A pipe or a device has no end that anybody could know beforehand.
    if (!stat.isFile()) return { ok: false, reason: "it is not a regular file" };
    if (stat.size > limit) return { ok: false, reason: `it has ${stat.size} bytes, at most ${limit} are read` };
    return { ok: true, bytes: await file.readFile() };
  } catch (error) {
    return { ok: false, reason: reasonOf(error) };
  } finally {
    await file?.close();
  }
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT" || code === "ENOTDIR") return "there is no such file";
  if (code === "EACCES" || code === "EPERM") return "this user may not read it";
  if (code === "EISDIR") return "it is a directory";
  return `it cannot be read (${String(code ?? "unknown error")})`;
}
