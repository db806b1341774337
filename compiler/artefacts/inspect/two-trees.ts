// An image names its files in two trees: `capc inspect` and boot loaders read the first tree, and init reads the second
// one. The project's images have the same files in both trees. If the two trees of an image differ, facts about the
// first tree say nothing about what a machine would run.

import { BLOCK } from "../../../targets/iso/places.ts";
import { readRecords } from "../../../targets/iso/records.ts";
import type { IsoFile, ReadAt } from "./iso-reader.ts";

/**
 * Returns the first difference between the two trees of folders and files in an ISO image, or `undefined` if both have
 * the same files. `files` are the files of the first tree, which boot loaders read; `readAt` reads the second tree
 * (Joliet), which init uses.
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
