import { Manifest } from "../../../engine/lib/wire/generated/manifest.ts";
import { decodeMessage } from "../../../engine/lib/wire/index.ts";
import { IMAGE_PATHS, MOST_MANIFEST_BYTES } from "../../../targets/contract/artifact.ts";
import { type OpenedImage, readImageFile } from "./opened.ts";

/**
 * Returns the manifest of an image without verifying its signature, or `undefined` if the manifest is missing or
 * malformed.
 */
export function readImageManifest(image: OpenedImage): Manifest | undefined {
  const bytes = readImageFile(image, IMAGE_PATHS.manifest, MOST_MANIFEST_BYTES);
  const read = bytes === undefined ? undefined : decodeMessage(Manifest, bytes);
  return read?.ok === true ? read.value : undefined;
}
