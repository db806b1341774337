import { Manifest } from "../../../engine/wire/generated/manifest.ts";
import { decodeMessage } from "../../../engine/wire/index.ts";
import { IMAGE_PATHS, MOST_MANIFEST_BYTES } from "../../../targets/contract.ts";
import { listIso, type ReadAt } from "./iso-reader.ts";

/** The manifest of an image, whoever signed it; nothing where it has none that can be read. */
export function manifestIn(readAt: ReadAt, size: number): Manifest | undefined {
  const listing = listIso(readAt, size);
  const file = listing.ok ? listing.files.find(({ path }) => path === IMAGE_PATHS.manifest) : undefined;
  if (file === undefined || file.size > MOST_MANIFEST_BYTES) return undefined;
  const read = decodeMessage(Manifest, readAt(file.offset, file.size));
  return read.ok ? read.value : undefined;
}
