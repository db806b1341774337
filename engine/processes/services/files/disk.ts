// Implements the common parts of all changes of a file: new content is on the disk before anything refers to it. This module
// also has the checks that a file must pass.

import { constants, type Stats } from "node:fs";
import { type FileHandle, open, unlink } from "node:fs/promises";
import { join } from "node:path";
import { accept, type Result, refuse } from "../../../lib/result/result.ts";
import { loadCrypto } from "../../../lib/wire/crypto.ts";
import { UNFINISHED } from "./path.ts";
import type { Place } from "./walk.ts";

/** Writes a file under a hidden name of its own, and syncs it to the disk; returns its path. */
export async function writeUnfinished(parent: string, bytes: Uint8Array): Promise<string> {
  const unfinished = join(parent, UNFINISHED + loadCrypto().randomBytes(8).toString("hex"));
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const file = await open(unfinished, flags, 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } catch (error) {
    await unlink(unfinished);
    throw error;
  } finally {
    await file.close();
  }
  return unfinished;
}

/** Returns the text of a file of at most `most` bytes; fails if it is larger or is not a file. */
export async function readTextAt({ path, stats }: Place, most: number): Promise<Result<string>> {
  const missing = checkFileStats(stats);
  if (missing !== undefined) return refuse(missing);
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    // Check the opened file: another file may have replaced the one that was looked up.
    const fault = checkFileStats(await file.stat());
    return fault === undefined ? await readText(file, most) : refuse(fault);
  } finally {
    await file.close();
  }
}

async function readText(file: FileHandle, most: number): Promise<Result<string>> {
  const bytes = Buffer.alloc(most + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length);
    length += bytesRead;
    if (length > most) return refuse(`the file is larger than ${most} bytes`);
    if (bytesRead === 0) break;
  }
  const text = decodeUtf8(bytes.subarray(0, length));
  return text === undefined ? refuse("the file is not UTF-8 text") : accept(text);
}

/** Syncs a directory, which makes a rename or removal in it durable. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** Linux's number of EDQUOT: Node has no name for the error of a directory that has reached its limit. */
const QUOTA_ERROR = 122;

/**
 * Returns a system error as a reason. Names of errors may be shown; messages may not, because they contain paths of this machine. Throws
 * any other error.
 */
export function describeDiskRefusal(error: unknown): string {
  if (!(error instanceof Error && "code" in error && typeof error.code === "string")) throw error;
  const isOverQuota = "errno" in error && error.errno === -QUOTA_ERROR;
  return `the disk refused: ${isOverQuota ? "EDQUOT" : error.code}`;
}

/**
 * Returns why these stats do not belong to a usable file, or `undefined` if they do. A file with several names (hard
 * links) is refused. Another name may belong to another service, and init gives the file to the user of the last service
 * that it processes. After a deletion of one name the content would still exist.
 */
export function checkFileStats(stats: Stats | undefined): string | undefined {
  if (stats === undefined) return "there is no such file";
  if (!stats.isFile()) return "this is not a file";
  return stats.nlink === 1 ? undefined : "the file has other names";
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
