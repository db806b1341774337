// The image of a plan, the fast way where it is certain to give the bytes of the slow one.

import { rmSync } from "node:fs";
import { type Frame, frameOf } from "./frame.ts";
import { placesOf } from "./places.ts";
import { type LastImage, rewriteIso } from "./rewrite-iso.ts";
import { type IsoPlan, writeIso } from "./write-iso.ts";
import { DEFAULT_WRITER, writerVersion } from "./writer.ts";

/** An earlier image, as long as nobody touches it. */
export interface KnownImage extends LastImage {
  readonly isUntouched: () => boolean;
}

/** What was made, and how: nothing but what changed was written, or all of it, for a reason. */
export type IsoMade =
  | { readonly ok: true; readonly frame: Frame; readonly wholeBecause?: string }
  | { readonly ok: false; readonly reason: string };

export async function makeIso(plan: IsoPlan, last: KnownImage | undefined): Promise<IsoMade> {
  const places = placesOf(plan);
  const writer = writerVersion(plan.writer ?? DEFAULT_WRITER);
  const frame = frameOf(places, writer ?? "none", plan.sourceDateEpoch);
  // Whose bytes are to be given is not known where there is no writer.
  const wholeBecause = writer === undefined ? "there is no writer" : notRewritten(plan.out, last, frame, places);
  if (wholeBecause === undefined) return { ok: true, frame };
  const written = await writeIso(plan);
  return written.ok ? { ok: true, frame, wholeBecause } : written;
}

function notRewritten(
  out: string,
  last: KnownImage | undefined,
  frame: Frame,
  places: ReturnType<typeof placesOf>,
): string | undefined {
  if (last?.isUntouched() !== true) return "there is no last image in its place";
  const rewritten = rewriteIso(last, frame, places, out);
  if (!rewritten.ok) return rewritten.why;
  if (last.isUntouched()) return undefined;
  rmSync(out);
  return "the last image was changed meanwhile";
}
