// What is remembered of images that were built here, so that the next one at the same place is made of the last.

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Frame } from "../../../targets/iso/frame.ts";
import type { KnownImage } from "../../../targets/iso/make-iso.ts";
import { placeText } from "../output.ts";
import { stampOf } from "./stamp.ts";

/** Forgets nothing by itself: a note has a few kilobytes, and there is one for each place that was ever built to. */
function noteOf(path: string, notes: string): string {
  return join(notes, `${createHash("sha256").update(path).digest("hex").slice(0, 32)}.json`);
}

interface Note {
  readonly stamp: string;
  readonly frame: Frame;
}

/** `path` is absolute; `notes` is the folder in which they are kept. A note that cannot be written only costs time later. */
export function rememberImage(path: string, frame: Frame, notes: string): void {
  const stamp = stampOf(path);
  if (stamp === undefined) return;
  mkdirSync(notes, { recursive: true });
  placeText(noteOf(path, notes), JSON.stringify({ stamp, frame } satisfies Note));
}

/** Nothing where none was built there, or what is there now is another file. */
export function lastImage(path: string, notes: string): KnownImage | undefined {
  const note = readNote(noteOf(path, notes));
  if (note === undefined) return undefined;
  return { file: path, frame: note.frame, isUntouched: () => stampOf(path) === note.stamp };
}

function readNote(path: string): Note | undefined {
  try {
    const { stamp, frame } = JSON.parse(readFileSync(path, "utf8"));
    return typeof stamp === "string" && isFrame(frame) ? { stamp, frame } : undefined;
  } catch {
    // None, or a broken one: the image is written whole.
    return undefined;
  }
}

function isFrame(value: unknown): value is Frame {
  return value !== null && typeof value === "object" && Object.values(value).every((each) => typeof each === "string");
}
