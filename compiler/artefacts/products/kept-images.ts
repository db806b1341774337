// Records the images that this machine built, so that the next build at the same path can reuse parts of them. If the
// file system cannot share blocks, the image before the last one is kept as a spare image. The next build then writes
// the new image into the spare image, instead of copying the last image.

import { createHash } from "node:crypto";
import { constants, copyFileSync, linkSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describeDifference, type Frame } from "../../../targets/iso/frame.ts";
import type { EarlierImages, KnownImage, SpareImage } from "../../../targets/iso/make-iso.ts";
import { placeText, type WriteResult } from "../../host/output.ts";
import { isHeld } from "./file-in-use.ts";
import { isSameFile, stampOf } from "./stamp.ts";

/**
 * Minimum size in bytes of a spare image: an older image that the next build overwrites, so that it need not copy the
 * last image first. A smaller image is copied in at most a tenth of a second, so a spare image would waste space.
 */
const LEAST_SPARE = 256 * 1024 * 1024;

/**
 * Returns the path of the spare image: the previous image that is kept beside the image at this path. No file in the
 * output of a build has the returned path.
 */
const deriveSparePath = (image: string): string => join(dirname(image), `.${basename(image)}.before`);

/**
 * Returns the last image and the spare image at the absolute path `image`. The folder `notes` has one record for each
 * image that an earlier build wrote.
 */
export function findKeptImages(image: string, notes: string): EarlierImages {
  return { last: findKnownImage(image, notes), spare: findSpareImage(deriveSparePath(image), notes) };
}

function findSpareImage(file: string, notes: string): SpareImage | undefined {
  const note = readNote(noteOf(file, notes));
  if (note === undefined) return undefined;
  return {
    file,
    frame: note.frame,
    isUntouched: () => stampOf(file) === note.stamp && isFree(file),
    isAt: (path) => isSameFile(stampOf(path), note.stamp),
  };
}

/**
 * Returns whether the file may be overwritten: it is a regular file with one name, and no program or mount uses it. A
 * program that opened the file when it was the current image must still read the same content.
 */
function isFree(file: string): boolean {
  return isFile(file) && lstatSync(file).nlink === 1 && !isHeld(file);
}

/**
 * Parameters for replacing an old image: the folder of the notes, the bytes of the new image outside of its files (its frame), and the
 * minimum size of a spare image.
 */
interface Replacement {
  readonly notes: string;
  readonly frame: Frame;
  readonly place: () => WriteResult;
  readonly least?: number;
}

/**
 * Replaces the last image with a new one; `place` writes the new image, and `frame` are its bytes outside of files. The
 * last image becomes the spare image if it is worth keeping. Returns the result of `place`.
 */
export function replaceImage(image: string, { notes, frame, place, least = LEAST_SPARE }: Replacement): WriteResult {
  const spare = deriveSparePath(image);
  forget(spare, notes);
  const isKept = isWorthKeeping(findKnownImage(image, notes), frame, least) && isLinked(image, spare);
  const written = place();
  if (written.ok) rememberImage(image, frame, notes);
  if (isKept && written.ok) rememberImage(spare, frame, notes);
  if (isKept && !written.ok) forget(spare, notes);
  return written;
}

/**
 * Returns whether the last image is worth keeping. An image whose frame differs from `frame`, the frame of the new
 * image, cannot be reused, and would only use space.
 */
function isWorthKeeping(last: KnownImage | undefined, frame: Frame, least: number): boolean {
  if (last === undefined || !last.isUntouched() || describeDifference(last.frame, frame) !== undefined) return false;
  return isFile(last.file) && lstatSync(last.file).size >= least && !canShareBlocks(dirname(last.file));
}

/**
 * Returns whether the path is a regular file. A link is not a regular file: its target may belong to another program,
 * and must not be overwritten.
 */
const isFile = (path: string): boolean => lstatSync(path).isFile();

/** Returns whether files in the folder can share blocks, in which case a copy takes no space and no time. */
function canShareBlocks(folder: string): boolean {
  const one = join(folder, `.unfinished-${process.pid}`);
  const other = `${one}-copy`;
  try {
    writeFileSync(one, "block");
    copyFileSync(one, other, constants.COPYFILE_FICLONE_FORCE);
    return true;
  } catch {
    return false;
  } finally {
    for (const path of [one, other]) rmSync(path, { force: true });
  }
}

/**
 * Links the image to the spare path, and returns whether that succeeded. On a file system without hard links, no spare
 * image is kept.
 */
function isLinked(image: string, spare: string): boolean {
  try {
    linkSync(image, spare);
    return true;
  } catch {
    return false;
  }
}

function forget(image: string, notes: string): void {
  rmSync(noteOf(image, notes), { force: true });
  rmSync(image, { force: true });
}

/**
 * Returns the path of the note with the stamp and the frame of an image. Notes are not cleaned up, because a note has a
 * few kilobytes, and each output path has only one.
 */
function noteOf(path: string, notes: string): string {
  return join(notes, `${createHash("sha256").update(path).digest("hex").slice(0, 32)}.json`);
}

interface Note {
  readonly stamp: string;
  readonly frame: Frame;
}

/** Writes the note about a built image: its stamp and its frame. Without the note, the next build only takes longer. */
export function rememberImage(path: string, frame: Frame, notes: string): void {
  const stamp = stampOf(path);
  if (stamp === undefined) return;
  mkdirSync(notes, { recursive: true });
  placeText(noteOf(path, notes), JSON.stringify({ stamp, frame } satisfies Note));
}

/** Returns the image that was built at this path, or `undefined` if none was. */
export function findKnownImage(path: string, notes: string): KnownImage | undefined {
  const note = readNote(noteOf(path, notes));
  if (note === undefined) return undefined;
  return { file: path, frame: note.frame, isUntouched: () => stampOf(path) === note.stamp };
}

function readNote(path: string): Note | undefined {
  try {
    const { stamp, frame } = JSON.parse(readFileSync(path, "utf8"));
    return typeof stamp === "string" && isFrame(frame) ? { stamp, frame } : undefined;
  } catch {
    // The record of the last image at this path is missing or malformed, so the build writes the whole new image.
    return undefined;
  }
}

function isFrame(value: unknown): value is Frame {
  return value !== null && typeof value === "object" && Object.values(value).every((each) => typeof each === "string");
}
