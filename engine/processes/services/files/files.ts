// The four methods of Files over one directory. Each method returns its result as JSON in the shape that the schema
// states, or fails with the reason. Refusals of the disk are reasons as well; only our own defects are thrown.
import type { Dirent } from "node:fs";
import { opendir, rename, unlink } from "node:fs/promises";
import type { JsonRecord } from "../../../lib/policy/index.ts";
import type { Result } from "../../../lib/result/result.ts";
import type { Directory } from "./directory.ts";
import { checkFileStats, describeDiskRefusal, readTextAt, syncDirectory, writeUnfinished } from "./disk.ts";
import { listChangedDirectories, makeFolders, removeFolders } from "./folders.ts";
import { UNFINISHED } from "./path.ts";
import { measureUsageBelow, type Place, placeOf, placeToWrite } from "./walk.ts";

/** Maximum bytes of a file: in the worst case each byte takes six in JSON, and the gate must still read the answer. */
export const MAX_FILE_BYTES = 64 * 1024;
/** Maximum bytes of a file from which lines are read. A service cannot write a file of this size, but a disk may contain one. */
const MAX_SEARCHED_BYTES = 1024 * 1024;
/** Default of the argument `to`, the number of the last line. */
const MOST_LINES = 2 ** 32 - 1;
const MAX_LISTED = 1000;

/** Maximum number of entries of one directory that are examined, whether or not they are listed. */
const MAX_SCANNED = 2 * MAX_LISTED;

/** Maximum number of folders below a granted directory, at all depths; a write that would make more of them fails. */
const MAX_FOLDERS = 1000;
/** Bytes for which each folder counts in the limit of a directory: one block of the disk. */
const FOLDER_BYTES = 4096;

type Answer = Promise<Result<JsonRecord>>;

/** First and last line of a range, both included; the first line of a file is 1. */
interface Lines {
  readonly from: number;
  readonly to: number;
}

const WHOLE: Lines = { from: 1, to: Infinity };

export async function readFile({ root }: Directory, path: string, lines = WHOLE): Answer {
  const place = await placeOf(root, path);
  if (!place.ok) return place;
  // A file that is read as a whole may be no larger than a result. A file of which only some lines are read may be
  // larger.
  const isWhole = lines.from <= 1 && lines.to >= MOST_LINES;
  const text = await readTextAt(place.value, isWhole ? MAX_FILE_BYTES : MAX_SEARCHED_BYTES);
  if (!text.ok) return text;
  return isWhole ? makeSuccess({ content: text.value }) : selectLines(text.value, lines);
}

/** Returns lines of a text. A line includes its line feed; text after the last line feed is a line too. */
async function selectLines(text: string, { from, to }: Lines): Answer {
  if (from < 1 || from > to) return makeFailure("lines are counted from 1, and the first one is not behind the last");
  const all = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  if (from > Math.max(all.length, 1)) return makeFailure(`the file has ${all.length} lines`);
  const content = all.slice(from - 1, to).join("");
  if (Buffer.byteLength(content) > MAX_FILE_BYTES)
    return makeFailure(`these lines are more than ${MAX_FILE_BYTES} bytes`);
  return makeSuccess({ content });
}

export async function listDirectory({ root }: Directory, path: string): Answer {
  const place = await placeOf(root, path);
  if (!place.ok) return place;
  if (!place.value.stats?.isDirectory()) return makeFailure("there is no such directory");
  const entries: string[] = [];
  let scanned = 0;
  for await (const entry of await opendir(place.value.path)) {
    scanned += 1;
    if (entries.length === MAX_LISTED || scanned > MAX_SCANNED) {
      return makeFailure(`the directory holds more than ${MAX_LISTED} entries`);
    }
    const name = formatListedName(entry);
    if (name !== undefined) entries.push(name);
  }
  return makeSuccess({ entries: entries.sort() });
}

/** Returns a name as a list shows it, or `undefined` for links, devices, unfinished files, and names that are not UTF-8. */
function formatListedName(entry: Dirent): string | undefined {
  const { name } = entry;
  if (name.includes("\ufffd") || name.startsWith(UNFINISHED)) return undefined;
  if (entry.isDirectory()) return `${name}/`;
  return entry.isFile() ? name : undefined;
}

/**
 * Writes a file, and makes the missing folders of its path. The new content is in a separate file until it is on the disk, so
 * after a crash either the old or the new content is complete. A write that fails leaves no new folder.
 */
export async function writeFile(directory: Directory, path: string, content: string, signal: AbortSignal): Answer {
  const bytes = Buffer.from(content);
  if (bytes.length > MAX_FILE_BYTES) return makeFailure(`a file may hold at most ${MAX_FILE_BYTES} bytes`);
  const place = await placeToWrite(directory.root, path);
  if (!place.ok) return place;
  const { stats, missing } = place.value;
  const fault = stats === undefined ? undefined : checkFileStats(stats);
  if (fault !== undefined) return makeFailure(fault);
  const full = await checkFilesQuota(directory, bytes.length - (stats?.size ?? 0), missing.length);
  if (full !== undefined) return makeFailure(full);
  if (!(await writeInto(place.value, bytes, signal)))
    return makeFailure("the call was given up, and nothing was written");
  const unsure = await trySyncDirectories(listChangedDirectories([place.value]));
  if (unsure !== undefined)
    return makeFailure(`the new text is there, and after a crash what was there before may be again: ${unsure}`);
  return makeSuccess({ bytes: bytes.length });
}

/**
 * Syncs directories in which names were added or replaced. Returns why this change may be lost in a crash, or
 * `undefined` if it is durable.
 */
async function trySyncDirectories(directories: readonly string[]): Promise<string | undefined> {
  try {
    for (const directory of directories) await syncDirectory(directory);
    return undefined;
  } catch (error) {
    return describeDiskRefusal(error);
  }
}

/**
 * Returns why the files may not grow by this many bytes and new folders, or `undefined` if they may. The space of
 * folders counts only if the call makes a new folder. No method removes folders, so folders alone never prevent a write
 * into an existing folder.
 */
export async function checkFilesQuota(
  { root, stateBytes }: Directory,
  growth: number,
  newFolders: number,
): Promise<string | undefined> {
  if (stateBytes === 0 && newFolders === 0) return undefined;
  const used = await measureUsageBelow(root);
  if (used === undefined) return "there are too many files to count";
  const folders = used.folders + newFolders;
  if (newFolders > 0 && folders > MAX_FOLDERS) return `there may be at most ${MAX_FOLDERS} folders`;
  if (stateBytes === 0) return undefined;
  const bytes = used.bytes + growth;
  if (bytes > stateBytes) return `the files together may hold at most ${stateBytes} bytes`;
  if (newFolders === 0 || bytes + folders * FOLDER_BYTES <= stateBytes) return undefined;
  return `there is no space for a new folder: files and folders of ${FOLDER_BYTES} bytes may hold at most ${stateBytes} bytes`;
}

/** Replaces a file, and first makes the folders that are missing; returns false if the call was cancelled before that. */
async function writeInto(place: Place, bytes: Uint8Array, signal: AbortSignal): Promise<boolean> {
  const made: string[] = [];
  let isDone = false;
  try {
    await makeFolders(place.missing, made);
    isDone = await replace(place.parent, place.path, bytes, signal);
  } finally {
    if (!isDone) await removeFolders(made);
  }
  return isDone;
}

/** Replaces a file; returns false if the call was cancelled before that. */
async function replace(parent: string, target: string, bytes: Uint8Array, signal: AbortSignal): Promise<boolean> {
  const unfinished = await writeUnfinished(parent, bytes);
  try {
    if (signal.aborted) {
      await unlink(unfinished);
      return false;
    }
    await rename(unfinished, target);
  } catch (error) {
    await unlink(unfinished);
    throw error;
  }
  return true;
}

export async function deleteFile({ root }: Directory, path: string): Answer {
  const place = await placeOf(root, path);
  if (!place.ok) return place;
  const fault = checkFileStats(place.value.stats);
  if (fault !== undefined) return makeFailure(fault);
  await unlink(place.value.path);
  const unsure = await trySyncDirectories([place.value.parent]);
  return unsure === undefined
    ? makeSuccess({})
    : makeFailure(`the file is gone, and after a crash it may be there again: ${unsure}`);
}

function makeSuccess(value: JsonRecord): Result<JsonRecord> {
  return { ok: true, value };
}

function makeFailure(reason: string): Result<JsonRecord> {
  return { ok: false, reason };
}
