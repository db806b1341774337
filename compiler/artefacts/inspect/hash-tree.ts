// Checks the hash trees of an image: whether the kernel would accept each block, given the root hash in the signed
// manifest.

import { BLOCK, computeSizeWithTree, hashTree } from "../../../engine/image/rootfs/verity.ts";
import type { Blob } from "../../../engine/lib/wire/generated/manifest.ts";
import type { IsoFile, ReadAt } from "./iso-reader.ts";

/** Maximum length of a salt in bytes; the kernel does not accept a longer one. */
const MOST_SALT_BYTES = 256;

/**
 * Returns the reason why the kernel would refuse to read this file, or `undefined` if the kernel would read it. The
 * function reads the whole file. A file without a hash tree has no fault.
 */
export function findTreeFault({ path, verity, size }: Blob, file: IsoFile, readAt: ReadAt): string | undefined {
  if (verity.rootHash.length === 0) return undefined;
  const content = Number(verity.contentBytes);
  const fits = content > 0 && computeSizeWithTree(content) === file.size && BigInt(file.size) === size;
  if (!fits || verity.salt.length > MOST_SALT_BYTES) return `${path} is not content and hash tree`;
  const { tree, rootHash } = hashTree((at, length) => readAt(file.offset + at, length), content, verity.salt);
  const treeAt = Math.ceil(content / BLOCK) * BLOCK;
  const found = readAt(file.offset + treeAt, tree.length);
  if (!Buffer.from(rootHash).equals(verity.rootHash)) return `${path} has another root hash than the manifest says`;
  return Buffer.from(tree).equals(found) ? undefined : `${path}: its hash tree is not that of its content`;
}
