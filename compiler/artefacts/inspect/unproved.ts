// Reads from an image how many assertions of its page are unproved. An attacker who can write the file can remove this
// number, but then the image's own init refuses it. This check only prevents booting such an image by accident.

import { findUnproved } from "../../../targets/contract/artifact.ts";
import { readImageManifest } from "./image-manifest.ts";
import type { OpenedImage } from "./opened.ts";

/** Returns the number of unproved assertions as the image states it, or `undefined` if it states none or has no manifest. */
export function readUnproved(image: OpenedImage): string | undefined {
  const manifest = readImageManifest(image);
  return manifest && findUnproved(manifest.kernelParameters);
}
