// Stores the decision about a set of edits on the disk before the edits are carried out. The new contents are beside
// their files, and the journal states which file each new content replaces. Without a journal no edit has happened;
// with a journal all edits happen,
// if necessary at the next start.

import { constants } from "node:fs";
import { open, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import { isList, isRecord, readJson } from "../../../lib/policy/index.ts";
import { syncDirectory, writeUnfinished } from "./disk.ts";
import { UNFINISHED } from "./path.ts";
import { findStats, placeOf } from "./walk.ts";

/** File to replace or create. */
export interface Renaming {
  /** Name of the file with the new content, in the directory of the file to replace. */
  readonly beside: string;
  /** Path of the file, below the granted directory. */
  readonly path: string;
}

const JOURNAL = `${UNFINISHED}journal`;
/** Maximum bytes of a journal: more than the longest possible paths of one set's files. */
const MAX_JOURNAL_BYTES = 1024 * 1024;
const BESIDE = new RegExp(`^${UNFINISHED.replaceAll(".", "\\.")}[0-9a-f]{16}$`);

/**
 * Writes the journal, which is the decision that these files get their new content; `settle` carries it out. If this
 * function throws, no file has changed. The files that the decision names must be on the disk already.
 */
export async function decide(root: string, renamings: readonly Renaming[]): Promise<void> {
  const written = await writeUnfinished(root, Buffer.from(JSON.stringify({ renamings })));
  try {
    await rename(written, join(root, JOURNAL));
  } catch (error) {
    await unlink(written);
    throw error;
  }
}

/**
 * Carries out a decision that is not finished; does nothing without a journal. Throws if the disk refuses a step, or if
 * this service did not write the journal.
 */
export async function settle(root: string): Promise<void> {
  const text = await readJournal(root);
  if (text === undefined) return;
  // Sync the journal before anything is replaced.
  await syncDirectory(root);
  const parents = new Set<string>();
  for (const { beside, path } of parseRenamings(text)) parents.add(await renameIntoPlace(root, beside, path));
  for (const parent of parents) await syncDirectory(parent);
  await unlink(join(root, JOURNAL));
  await syncDirectory(root);
}

/** Moves the new content of one file to its place, unless that was done before a crash. Returns the directory of the file. */
async function renameIntoPlace(root: string, beside: string, path: string): Promise<string> {
  const place = await placeOf(root, path);
  if (!place.ok) throw new Error(`the journal of edits names what is no file here: ${place.reason}`);
  const { path: target, parent } = place.value;
  const content = join(parent, beside);
  if ((await findStats(content)) !== undefined) await rename(content, target);
  return parent;
}

async function readJournal(root: string): Promise<string | undefined> {
  const path = join(root, JOURNAL);
  const stats = await findStats(path);
  if (stats === undefined) return undefined;
  if (!stats.isFile() || stats.size > MAX_JOURNAL_BYTES) throw new Error("the journal of edits is none of ours");
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}

/**
 * Parses the journal. The journal is written atomically, so an unreadable one comes from another program with access to
 * the disk.
 */
function parseRenamings(text: string): readonly Renaming[] {
  const read = readJson(text, MAX_JOURNAL_BYTES);
  const listed = read.ok && isRecord(read.value) ? read.value["renamings"] : undefined;
  if (listed === undefined || !isList(listed)) throw new Error("the journal of edits cannot be read");
  return listed.map((one) => {
    const { beside, path } = isRecord(one) ? one : {};
    if (typeof beside !== "string" || typeof path !== "string" || !BESIDE.test(beside)) {
      throw new Error("the journal of edits cannot be read");
    }
    return { beside, path };
  });
}
