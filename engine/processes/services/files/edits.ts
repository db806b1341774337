// Applies a set of edits to several files: either all of the edits or none. All contents are computed before anything is written, and written
// before anything is replaced; `journal.ts` replaces the files.

import { unlink } from "node:fs/promises";
import { basename } from "node:path";
import type { JsonRecord } from "../../../lib/policy/index.ts";
import { accept, type Result, refuse } from "../../../lib/result/result.ts";
import { loadCrypto } from "../../../lib/wire/crypto.ts";
import type { ExpectedEdit } from "../../../lib/wire/generated/service.ts";
import type { Directory } from "./directory.ts";
import { readTextAt, syncDirectory, writeUnfinished } from "./disk.ts";
import { checkFilesQuota, MAX_FILE_BYTES } from "./files.ts";
import { listChangedDirectories, makeFolders, removeFolders } from "./folders.ts";
import { decide, type Renaming, settle } from "./journal.ts";
import { applyReplacements } from "./patch.ts";
import { parseRelativePath } from "./path.ts";
import { type Place, placeOf, placeToWrite } from "./walk.ts";

/** Maximum number of edits in one set: nobody would review more edits before approving them. */
export const MAX_EDITS = 64;

type Answer = Promise<Result<JsonRecord>>;

/** A file as it was before the set of edits, and its new content. */
interface Change {
  /** Normalized path below the granted directory. */
  readonly path: string;
  readonly place: Place;
  /** SHA-256 of the content in hexadecimal; empty if the file does not exist. */
  readonly digest: string;
  readonly bytes: Uint8Array;
}

/** Returns the digest of each edit's file as it is now, or why an edit does not apply. Changes nothing. */
export async function checkEdits(directory: Directory, edits: readonly ExpectedEdit[]): Answer {
  const changes = await collectChanges(directory, edits, "ignored");
  if (!changes.ok) return changes;
  const digests = new Map(changes.value.map(({ path, digest }) => [path, digest]));
  return accept({ digests: edits.map(({ edit }) => digests.get(normalizePath(edit.path) ?? "") ?? "") });
}

/**
 * Applies all edits. Fails and applies no edit if one does not fit, if a file has changed since the check, or if the
 * space does not suffice.
 */
export async function applyEdits(directory: Directory, edits: readonly ExpectedEdit[], signal: AbortSignal): Answer {
  const changes = await collectChanges(directory, edits, "expected");
  if (!changes.ok) return changes;
  const written: Written[] = [];
  const made: string[] = [];
  let isDecided = false;
  try {
    await makeFolders(listMissingFolders(changes.value), made);
    await writeBeside(changes.value, written);
    if (signal.aborted) return refuse("the call was given up, and nothing was changed");
    await decide(
      directory.root,
      written.map(({ renaming }) => renaming),
    );
    isDecided = true;
  } finally {
    if (!isDecided) {
      for (const { beside } of written) await unlink(beside);
      await removeFolders(made);
    }
  }
  await directory.finish(() => settle(directory.root));
  return accept({});
}

/**
 * Returns the new content of each file that the edits change. The files are in the order in which the edits first name
 * them. Fails if an edit does not apply.
 */
async function collectChanges(
  directory: Directory,
  edits: readonly ExpectedEdit[],
  digests: "expected" | "ignored",
): Promise<Result<readonly Change[]>> {
  if (edits.length === 0) return refuse("there is no edit");
  if (edits.length > MAX_EDITS) return refuse(`a set has at most ${MAX_EDITS} edits`);
  const byPath = Map.groupBy(edits, ({ edit }) => normalizePath(edit.path) ?? edit.path);
  const changes: Change[] = [];
  let growth = 0;
  for (const [path, group] of byPath) {
    const change = await changeOf(directory, path, group, digests);
    if (!change.ok) return refuse(`edit ${edits.findIndex((one) => group.includes(one)) + 1}: ${change.reason}`);
    changes.push(change.value);
    growth += change.value.bytes.length - (change.value.place.stats?.size ?? 0);
  }
  const folders = listMissingFolders(changes);
  const clash = changes.find(({ place }) => folders.includes(place.path));
  if (clash !== undefined) return refuse(`a new file and a new folder have the same name: ${clash.path}`);
  const full = await checkFilesQuota(directory, growth, folders.length);
  return full === undefined ? accept(changes) : refuse(full);
}

/** Returns the folders that the changes need and that do not exist; an outer folder comes before the folders in it. */
function listMissingFolders(changes: readonly Change[]): readonly string[] {
  return [...new Set(changes.flatMap(({ place }) => place.missing))];
}

async function changeOf(
  { root }: Directory,
  path: string,
  edits: readonly ExpectedEdit[],
  digests: "expected" | "ignored",
): Promise<Result<Change>> {
  const isNew = edits.some(({ edit }) => edit.before === "");
  const place = await (isNew ? placeToWrite(root, path) : placeOf(root, path));
  if (!place.ok) return place;
  const found = isNew ? startNewFile(place.value, edits) : await readTextAt(place.value, MAX_FILE_BYTES);
  if (!found.ok) return found;
  const digest = isNew ? "" : loadCrypto().createHash("sha256").update(found.value).digest("hex");
  if (digests === "expected" && edits.some((one) => one.digest !== digest))
    return refuse("the file is not what it was any more");
  const text = isNew
    ? accept(edits.map(({ edit }) => edit.after).join(""))
    : applyReplacements(
        found.value,
        edits.map(({ edit }) => edit),
      );
  if (!text.ok) return text;
  const bytes = Buffer.from(text.value);
  if (bytes.length > MAX_FILE_BYTES) return refuse(`a file may hold at most ${MAX_FILE_BYTES} bytes`);
  return accept({ path, place: place.value, digest, bytes });
}

/** Returns the empty content of a new file; fails if the name exists, or if there is more than one edit. */
function startNewFile({ stats }: Place, edits: readonly ExpectedEdit[]): Result<string> {
  if (stats !== undefined) return refuse("there is something of that name already");
  return edits.length === 1 ? accept("") : refuse("a file that is made is made by one edit");
}

interface Written {
  readonly beside: string;
  readonly renaming: Renaming;
}

/** Writes all new contents beside their files, and syncs them. `written` receives each complete file, even if a later one fails. */
async function writeBeside(changes: readonly Change[], written: Written[]): Promise<void> {
  for (const { path, place, bytes } of changes) {
    const beside = await writeUnfinished(place.parent, bytes);
    written.push({ beside, renaming: { beside: basename(beside), path } });
  }
  for (const directory of listChangedDirectories(changes.map(({ place }) => place))) await syncDirectory(directory);
}

/**
 * Returns the normalized form of a path, or `undefined` if it is not a path. All edits of one file have the same
 * normalized path.
 */
function normalizePath(path: string): string | undefined {
  const segments = parseRelativePath(path);
  return segments.ok ? segments.value.join("/") : undefined;
}
