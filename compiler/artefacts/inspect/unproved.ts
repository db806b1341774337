// Whether an image says of itself that assertions of its page do not hold. Whoever can write the file can take the word away,
// and then its own init refuses it: this is asked so that nobody boots such an image without meaning to.

import { findUnproved } from "../../../targets/contract/artifact.ts";
import { readImageManifest } from "./image-manifest.ts";
import type { OpenedImage } from "./opened.ts";

/** Returns the number of unproved assertions as the image states it, or `undefined` if it states none or has no manifest. */
export function readUnproved(image: OpenedImage): string | undefined {
  const manifest = readImageManifest(image);
  return manifest && findUnproved(manifest.kernelParameters);
}
