// Compares the two trees of names in an image. `capc inspect` and boot loaders read the first tree, and init reads the
// second. In the project's images both trees name the same files. If they differ, the facts that `inspect` prints do
// not apply to the files that init runs.

import { BLOCK } from "../../../targets/iso/places.ts";
import { readRecords } from "../../../targets/iso/records.ts";
import type { IsoFile, ReadAt } from "./iso-reader.ts";

/**
 * Returns a sentence about the first difference between the trees, or `undefined` if there is none. `files` are the
 * files of the first tree.
 */
export function findTreesFault(files: readonly IsoFile[], readAt: ReadAt): string | undefined {
  const named = readRecords(readAt)?.named;
  if (named === undefined) return "the tree of names that init reads is not there, or cannot be read";
  const other = files.find(({ path, offset, size }) => {
    const record = named.get(path);
    return record === undefined || record.extent * BLOCK !== offset || record.size !== size;
  });
  if (other !== undefined) return `${other.path} is not what init finds under that name`;
  const known = new Set(files.map(({ path }) => path));
  const more = [...named.keys()].find((path) => !known.has(path));
  return more === undefined ? undefined : `init finds ${more}, which is not listed here`;
}
