// Makes the image of a plan. This module rewrites an earlier image if this certainly gives the same bytes as a new
// image, because rewriting is faster.

import { rmSync } from "node:fs";
import { createFrame, type Frame } from "./frame.ts";
import { listPlaces, type Place } from "./places.ts";
import { type LastImage, rewriteIso } from "./rewrite-iso.ts";
import { type IsoPlan, writeIso } from "./write-iso.ts";
import { DEFAULT_WRITER, readWriterVersion } from "./writer.ts";

/** An earlier image. A new image may be made from it only while `isUntouched` returns true. */
export interface KnownImage extends LastImage {
  readonly isUntouched: () => boolean;
}

/** Images from which the next one may be made. */
export interface EarlierImages {
  /** The image at the output path; it stays unchanged. */
  readonly last: KnownImage | undefined;
  /** An image that is no longer needed: the new image may be written into this file. */
  readonly spare: SpareImage | undefined;
}

export interface SpareImage extends KnownImage {
  /** Returns whether the file at `path` is this image; called after the image was moved to `path`. */
  readonly isAt: (path: string) => boolean;
}

export const NO_IMAGES: EarlierImages = { last: undefined, spare: undefined };

/** Result of making an image. If the whole image was written and not only the changes, `wholeBecause` has the reason. */
type IsoMade =
  | { readonly ok: true; readonly frame: Frame; readonly wholeBecause?: string }
  | { readonly ok: false; readonly reason: string };

export async function makeIso(plan: IsoPlan, earlier: EarlierImages): Promise<IsoMade> {
  const places = listPlaces(plan);
  const writer = readWriterVersion(plan.writer ?? DEFAULT_WRITER);
  const frame = createFrame(places, writer ?? "none", plan.sourceDateEpoch);
  // If the writer is not installed, its version is unknown. Then no rewrite can be guaranteed to have the bytes of a new image.
  const wholeBecause = writer === undefined ? "there is no writer" : tryRewrite(plan.out, earlier, frame, places);
  if (wholeBecause === undefined) return { ok: true, frame };
  const written = await writeIso(plan);
  return written.ok ? { ok: true, frame, wholeBecause } : written;
}

/**
 * Rewrites the spare image or a copy of the last image; returns the reason if this fails, otherwise `undefined`. Tries
 * the spare image first, because it need not be copied.
 */
function tryRewrite(
  out: string,
  { last, spare }: EarlierImages,
  frame: Frame,
  places: readonly Place[],
): string | undefined {
  if (spare !== undefined && isMadeOf(spare, frame, places, out)) return undefined;
  if (last?.isUntouched() !== true) return "there is no last image in its place";
  const rewritten = rewriteIso(last, frame, places, out);
  if (!rewritten.ok) return rewritten.why;
  if (last.isUntouched()) return undefined;
  rmSync(out);
  return "the last image was changed meanwhile";
}

function isMadeOf(spare: SpareImage, frame: Frame, places: readonly Place[], out: string): boolean {
  if (!spare.isUntouched() || !rewriteIso({ ...spare, isGivenUp: true }, frame, places, out).ok) return false;
  // Another build may have put its image at this path just before the move.
  if (spare.isAt(out)) return true;
  rmSync(out);
  return false;
}
