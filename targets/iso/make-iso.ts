// The image of a plan, the fast way where it is certain to give the bytes of the slow one.

import { rmSync } from "node:fs";
import { createFrame, type Frame } from "./frame.ts";
import { listPlaces, type Place } from "./places.ts";
import { type LastImage, rewriteIso } from "./rewrite-iso.ts";
import { type IsoPlan, writeIso } from "./write-iso.ts";
import { DEFAULT_WRITER, readWriterVersion } from "./writer.ts";

/** An earlier image, as long as nobody touches it. */
export interface KnownImage extends LastImage {
  readonly isUntouched: () => boolean;
}

/** Images from which the next one may be made. */
export interface EarlierImages {
  /** Lies where the new one will, and stays as it is. */
  readonly last: KnownImage | undefined;
  /** Is nobody's any more: the new one may be written into it. */
  readonly spare: SpareImage | undefined;
}

export interface SpareImage extends KnownImage {
  /** Whether what lies at this path is this image, which was moved there. */
  readonly isAt: (path: string) => boolean;
}

export const NO_IMAGES: EarlierImages = { last: undefined, spare: undefined };

/** Result of making an image: only what changed was written, or all of it, for a reason. */
type IsoMade =
  | { readonly ok: true; readonly frame: Frame; readonly wholeBecause?: string }
  | { readonly ok: false; readonly reason: string };

export async function makeIso(plan: IsoPlan, earlier: EarlierImages): Promise<IsoMade> {
  const places = listPlaces(plan);
  const writer = readWriterVersion(plan.writer ?? DEFAULT_WRITER);
  const frame = createFrame(places, writer ?? "none", plan.sourceDateEpoch);
  // Without a writer it is not known whose bytes are to be given.
  const wholeBecause = writer === undefined ? "there is no writer" : tryRewrite(plan.out, earlier, frame, places);
  if (wholeBecause === undefined) return { ok: true, frame };
  const written = await writeIso(plan);
  return written.ok ? { ok: true, frame, wholeBecause } : written;
}

/** The spare image first: it costs no copy. */
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
  // A build beside this one may have put another image there, just before it was moved.
  if (spare.isAt(out)) return true;
  rmSync(out);
  return false;
}
