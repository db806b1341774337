// The four methods of Files over one directory. Each gives its result as the JSON shape of its reflection, or says why
// it did not succeed. What the disk refuses is a reason as well; only our own defects are thrown.
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open, readdir, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { Checked, JsonRecord } from "../../policy/index.ts";
import { UNFINISHED } from "./path.ts";
import { bytesBelow, type Place, placeOf } from "./walk.ts";

/** In the worst case each byte becomes six in JSON, and the gate still reads the answer. */
export const MAX_FILE_BYTES = 64 * 1024;
const MAX_LISTED = 1000;

export interface Directory {
  readonly root: string;
  /** What all files together may hold; 0: no limit but the disk. */
  readonly stateBytes: number;
}

type Result = Promise<Checked<JsonRecord>>;

export async function readFile({ root }: Directory, path: string): Result {
  const place = await placeOf(root, path);
  if (!place.ok) return place;
  const missing = notAFile(place.value);
  if (missing !== undefined) return failed(missing);
  const file = await open(place.value.path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    return await readText(file);
  } finally {
    await file.close();
  }
}

async function readText(file: FileHandle): Result {
  const bytes = Buffer.alloc(MAX_FILE_BYTES + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length);
    length += bytesRead;
    if (length > MAX_FILE_BYTES) return failed(`the file is larger than ${MAX_FILE_BYTES} bytes`);
    if (bytesRead === 0) break;
  }
  const text = textFrom(bytes.subarray(0, length));
  return text === undefined ? failed("the file is not UTF-8 text") : succeeded({ content: text });
}

export async function listDirectory({ root }: Directory, path: string): Result {
  const place = await placeOf(root, path);
  if (!place.ok) return place;
  if (!place.value.stats?.isDirectory()) return failed("there is no such directory");
  const entries: string[] = [];
  for (const entry of await readdir(place.value.path, { withFileTypes: true, encoding: "buffer" })) {
    const name = textFrom(entry.name);
    if (name === undefined || name.startsWith(UNFINISHED)) continue;
    if (entries.length === MAX_LISTED) return failed(`the directory holds more than ${MAX_LISTED} entries`);
    if (entry.isDirectory()) entries.push(`${name}/`);
    else if (entry.isFile()) entries.push(name);
  }
  return succeeded({ entries: entries.sort() });
}

/** The new content stands beside the old until it is on the disk: a crash leaves one of the two, whole. */
export async function writeFile(directory: Directory, path: string, content: string): Result {
  const bytes = Buffer.from(content);
  if (bytes.length > MAX_FILE_BYTES) return failed(`a file may hold at most ${MAX_FILE_BYTES} bytes`);
  const place = await placeOf(directory.root, path);
  if (!place.ok) return place;
  const { stats, parent, path: target } = place.value;
  if (stats !== undefined && !stats.isFile()) return failed("this is not a file");
  const full = await overfull(directory, bytes.length - (stats?.size ?? 0));
  if (full !== undefined) return failed(full);
  await replace(parent, target, bytes);
  return succeeded({ bytes: bytes.length });
}

async function overfull({ root, stateBytes }: Directory, growth: number): Promise<string | undefined> {
  if (stateBytes === 0) return undefined;
  const used = await bytesBelow(root);
  if (used === undefined) return "there are too many files to count";
  return used + growth > stateBytes ? `the files together may hold at most ${stateBytes} bytes` : undefined;
}

async function replace(parent: string, target: string, bytes: Uint8Array): Promise<void> {
  const unfinished = join(parent, UNFINISHED + randomBytes(8).toString("hex"));
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const file = await open(unfinished, flags, 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
    await rename(unfinished, target);
  } catch (error) {
    await unlink(unfinished);
    throw error;
  } finally {
    await file.close();
  }
  await syncDirectory(parent);
}

export async function deleteFile({ root }: Directory, path: string): Result {
  const place = await placeOf(root, path);
  if (!place.ok) return place;
  const missing = notAFile(place.value);
  if (missing !== undefined) return failed(missing);
  await unlink(place.value.path);
  await syncDirectory(place.value.parent);
  return succeeded({});
}

/** A rename or a removal is on the disk only when its directory is. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

function notAFile(place: Place): string | undefined {
  if (place.stats === undefined) return "there is no such file";
  return place.stats.isFile() ? undefined : "this is not a file";
}

function textFrom(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function succeeded(value: JsonRecord): Checked<JsonRecord> {
  return { ok: true, value };
}

function failed(reason: string): Checked<JsonRecord> {
  return { ok: false, reason };
}
