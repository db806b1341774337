// Whether an image says of itself that assertions of its page do not hold. Whoever can write the file can take the word away,
// and then its own init refuses it: this is asked so that nobody boots such an image without meaning to.

import { Manifest } from "../../../engine/wire/generated/manifest.ts";
import { decodeMessage } from "../../../engine/wire/index.ts";
import { IMAGE_PATHS, MOST_MANIFEST_BYTES, unprovedIn } from "../../../targets/contract.ts";
import { listIso, type ReadAt } from "./iso-reader.ts";

/** How many, as the image has it; nothing where it says none, or is no image of ours. */
export function unprovedImage(readAt: ReadAt, size: number): string | undefined {
  const listing = listIso(readAt, size);
  const file = listing.ok ? listing.files.find(({ path }) => path === IMAGE_PATHS.manifest) : undefined;
  if (file === undefined || file.size > MOST_MANIFEST_BYTES) return undefined;
  const read = decodeMessage(Manifest, readAt(file.offset, file.size));
  return read.ok ? unprovedIn(read.value.kernelParameters) : undefined;
}
