// Makes an image from a copy of an earlier image, or from an image that is no longer needed. This module rewrites the
// files that are found by name, and the records of these files in both trees. The result has the same bytes as a new
// image; if this is not certain, no image is written.

import {
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { describeDifference, type Frame } from "./frame.ts";
import { BLOCK, countBlocks, type Place } from "./places.ts";
import { encodeExtent, type FileRecord, type ReadAt, type Records, readRecords, WHERE_IT_LIES } from "./records.ts";

/** An image that capc wrote, with its frame: the properties that a rewrite cannot change. */
export interface LastImage {
  readonly file: string;
  readonly frame: Frame;
  /** Whether the file may be moved and become the new image without a copy. */
  readonly isGivenUp?: boolean;
}

type Rewritten = { readonly ok: true } | { readonly ok: false; readonly why: string };

/**
 * Makes an image with the files `places` from the last image or a copy of it. `frame` is the frame of `places`, and
 * must be equal to the frame of the last image. If this fails, `out` does not exist.
 */
export function rewriteIso(last: LastImage, frame: Frame, places: readonly Place[], out: string): Rewritten {
  const why = describeDifference(last.frame, frame);
  if (why !== undefined) return { ok: false, why };
  mkdirSync(dirname(out), { recursive: true });
  if (last.isGivenUp === true) {
    if (!isMoved(last.file, out)) return { ok: false, why: "the spare image is gone" };
    // The copy shares blocks with the last image if the file system supports this; otherwise the kernel copies the bytes.
  } else copyFileSync(last.file, out, constants.COPYFILE_FICLONE);
  const file = openSync(out, "r+");
  try {
    const readAt: ReadAt = (offset, length) => {
      const bytes = new Uint8Array(length);
      return bytes.subarray(0, readSync(file, bytes, 0, length, offset));
    };
    const records = readRecords(readAt);
    const isWhole = records !== undefined && endOf(records) * BLOCK <= fstatSync(file).size;
    const edits = isWhole ? planEdits(records, places) : undefined;
    if (edits === undefined) {
      rmSync(out);
      return { ok: false, why: "the last image is laid out in another way" };
    }
    for (const { at, bytes } of edits) writeWhole(file, bytes, at);
    return { ok: true };
  } finally {
    closeSync(file);
  }
}

/** Moves the file, and returns false if it no longer exists, because another build has moved it. */
function isMoved(file: string, out: string): boolean {
  try {
    renameSync(file, out);
    return true;
  } catch {
    return false;
  }
}

/** Bytes to write, and their offset in the image. */
interface Edit {
  readonly at: number;
  readonly bytes: Uint8Array;
}

/**
 * Returns the edits that replace the files of the last image by the files `places`. Returns `undefined` if the records
 * of the last image do not fit these files.
 */
function planEdits(records: Records, places: readonly Place[]): readonly Edit[] | undefined {
  const edits: Edit[] = [];
  const changing = places.filter(({ standing }) => standing === "changing");
  const first = Math.min(...changing.map(({ path }) => records.named.get(path)?.extent ?? Number.NaN));
  let extent = first;
  for (const place of places.filter(({ standing }) => standing !== "kept")) {
    const bytes = readContent(place);
    const found = findBothRecords(records, place.path);
    if (found === undefined || Number.isNaN(first)) return undefined;
    const at = place.standing === "anchored" ? found[0].extent : extent;
    edits.push({ at: at * BLOCK, bytes: padToBlock(bytes) });
    for (const record of found) edits.push({ at: record.at + WHERE_IT_LIES, bytes: encodeExtent(at, bytes.length) });
    if (place.standing === "changing") extent += countBlocks(bytes.length);
  }
  return extent === endOf(records) ? edits : undefined;
}

/** Returns the records of a file in the two trees, or `undefined` if a record is missing. */
function findBothRecords({ named, byExtent }: Records, path: string): readonly [FileRecord, FileRecord] | undefined {
  const exact = named.get(path);
  const other = exact === undefined ? undefined : byExtent.get(exact.extent);
  return exact === undefined || other?.size !== exact.size ? undefined : [exact, other];
}

/** Returns the block after the last file. */
function endOf({ named }: Records): number {
  return Math.max(...[...named.values()].map(({ extent, size }) => extent + countBlocks(size)));
}

function readContent({ bytes }: Place): Uint8Array {
  return bytes instanceof Uint8Array ? bytes : readFileSync(bytes.file);
}

function padToBlock(bytes: Uint8Array): Uint8Array {
  const missing = countBlocks(bytes.length) * BLOCK - bytes.length;
  return missing === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(missing)]);
}

function writeWhole(file: number, bytes: Uint8Array, at: number): void {
  for (let written = 0; written < bytes.length; )
    written += writeSync(file, bytes, written, bytes.length - written, at + written);
}
