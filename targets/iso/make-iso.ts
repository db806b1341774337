// Makes the image of a plan. Rewrites an earlier image if this certainly gives the same bytes as writing the whole image.

import { rmSync } from "node:fs";
import { createFrame, type Frame } from "./frame.ts";
import { listPlaces, type Place } from "./places.ts";
import { type LastImage, rewriteIso } from "./rewrite-iso.ts";
import { type IsoPlan, writeIso } from "./write-iso.ts";
import { DEFAULT_WRITER, readWriterVersion } from "./writer.ts";

/** An earlier image, which can be used as long as it is unchanged. */
export interface KnownImage extends LastImage {
  readonly isUntouched: () => boolean;
}

/** Earlier images that the next image may reuse. */
export interface EarlierImages {
  /** The image at the output path; it is copied and not modified. */
  readonly last: KnownImage | undefined;
  /** An image that is no longer needed, into which the new one may be written. */
  readonly spare: SpareImage | undefined;
}

export interface SpareImage extends KnownImage {
  /** Returns whether the file at this path, to which the image was moved, is still this image. */
  readonly isAt: (path: string) => boolean;
}

export const NO_IMAGES: EarlierImages = { last: undefined, spare: undefined };

/** Result of making an image. `wholeBecause` is set if the whole image was written, with the reason. */
type IsoMade =
  | { readonly ok: true; readonly frame: Frame; readonly wholeBecause?: string }
  | { readonly ok: false; readonly reason: string };

export async function makeIso(plan: IsoPlan, earlier: EarlierImages): Promise<IsoMade> {
  const places = listPlaces(plan);
  const writer = readWriterVersion(plan.writer ?? DEFAULT_WRITER);
  const frame = createFrame(places, writer ?? "none", plan.sourceDateEpoch);
  // If the writer is missing, its version is unknown, and so are the bytes that it would write.
  const wholeBecause = writer === undefined ? "there is no writer" : tryRewrite(plan.out, earlier, frame, places);
  if (wholeBecause === undefined) return { ok: true, frame };
  const written = await writeIso(plan);
  return written.ok ? { ok: true, frame, wholeBecause } : written;
}

/** Tries to reuse an earlier image, first the spare, which needs no copy. Returns `undefined` on success, otherwise the reason. */
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
  // Another build may have moved its image to this path meanwhile.
  if (spare.isAt(out)) return true;
  rmSync(out);
  return false;
}
