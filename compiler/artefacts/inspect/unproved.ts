// Reads whether an image states that assertions of its page do not hold. An attacker who can write the file can remove
// this statement, but then the image's own init refuses the image. The check only prevents that a person boots such an
// image by accident.

import { findUnproved } from "../../../targets/contract/artifact.ts";
import { readImageManifest } from "./image-manifest.ts";
import type { OpenedImage } from "./opened.ts";

/** Returns the number of unproved assertions as the image states it, or `undefined` if it states none or has no manifest. */
export function readUnproved(image: OpenedImage): string | undefined {
  const manifest = readImageManifest(image);
  return manifest && findUnproved(manifest.kernelParameters);
}
