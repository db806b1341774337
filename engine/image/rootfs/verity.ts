// Makes the hash tree of a large file for the kernel's dm-verity: each block is checked when it is read, and not only when
// the machine starts. The tree lies after the content in the same file; its root hash is signed.
//
// The tree has dm-verity's hash type 1, without a superblock. A block's digest is SHA-256(salt, block). A block of the tree contains 128
// digests; zeros fill the last block of each level. The levels are stored from the root down. `verity.test.ts` checks the tree with
// Debian's veritysetup.

import { createHash } from "node:crypto";
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import type { Verity } from "../../lib/wire/generated/manifest.ts";

export const BLOCK = 4096;
const DIGEST = 32;
const DIGESTS_A_BLOCK = BLOCK / DIGEST;
/** Number of blocks of one read, so large that reading costs little in comparison with hashing. */
const BLOCKS_A_READ = 256;

/** Reads exactly `length` bytes at `offset`; bytes after the end of the content are zeros. */
type ReadAt = (offset: number, length: number) => Uint8Array;

interface HashTree {
  readonly tree: Uint8Array;
  readonly rootHash: Uint8Array;
}

/**
 * Returns the hash tree and its root. The function needs memory for the tree, which is 1/127 of the content, and for
 * one read.
 */
export function hashTree(readAt: ReadAt, contentBytes: number, salt: Uint8Array): HashTree {
  let level = computeDigests(readAt, countBlocks(contentBytes), salt);
  const levels: Uint8Array[] = [];
  while (level.length > DIGEST) {
    const blocks = padLevel(level);
    levels.unshift(blocks);
    level = computeDigests((offset, length) => blocks.subarray(offset, offset + length), blocks.length / BLOCK, salt);
  }
  return { tree: Buffer.concat(levels), rootHash: level };
}

/** Returns the size that a file must have with its tree; the reader compares the actual size with this size. */
export function computeSizeWithTree(contentBytes: number): number {
  let blocks = countBlocks(contentBytes);
  let total = blocks;
  while (blocks > 1) {
    blocks = Math.ceil(blocks / DIGESTS_A_BLOCK);
    total += blocks;
  }
  return total * BLOCK;
}

export function deriveSalt(name: string): Uint8Array {
  return createHash("sha256").update(`capos verity ${name}`).digest();
}

/**
 * Pads `file` to whole blocks and writes its tree after them. The salt is derived from the artefact's name, so that the same name and
 * content give the same bytes. With the salt, equal blocks of two artefacts have different digests, at no cost.
 */
export function appendTree(file: string, name: string): Verity {
  const descriptor = openSync(file, "r+");
  try {
    const contentBytes = fstatSync(descriptor).size;
    ftruncateSync(descriptor, countBlocks(contentBytes) * BLOCK);
    const salt = deriveSalt(name);
    const { tree, rootHash } = hashTree(createReader(descriptor), contentBytes, salt);
    writeWhole(descriptor, tree, countBlocks(contentBytes) * BLOCK);
    return { contentBytes: BigInt(contentBytes), salt, rootHash };
  } finally {
    closeSync(descriptor);
  }
}

function createReader(descriptor: number): ReadAt {
  const buffer = Buffer.alloc(BLOCKS_A_READ * BLOCK);
  return (offset, length) => {
    for (let done = 0; done < length; ) {
      const read = readSync(descriptor, buffer, done, length - done, offset + done);
      if (read === 0) throw new Error(`a file that ends at ${offset + done} while it is read`);
      done += read;
    }
    return buffer.subarray(0, length);
  };
}

function writeWhole(descriptor: number, bytes: Uint8Array, at: number): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done, bytes.length - done, at + done);
}

function countBlocks(bytes: number): number {
  return Math.ceil(bytes / BLOCK);
}

/** Returns the digests of `blocks` blocks, one after the other. */
function computeDigests(readAt: ReadAt, blocks: number, salt: Uint8Array): Uint8Array {
  const found = Buffer.alloc(blocks * DIGEST);
  for (let first = 0; first < blocks; first += BLOCKS_A_READ) {
    const count = Math.min(BLOCKS_A_READ, blocks - first);
    const piece = readAt(first * BLOCK, count * BLOCK);
    for (let index = 0; index < count; index++) {
      const block = piece.subarray(index * BLOCK, (index + 1) * BLOCK);
      createHash("sha256")
        .update(salt)
        .update(block)
        .digest()
        .copy(found, (first + index) * DIGEST);
    }
  }
  return found;
}

/** Returns the digests of one level as whole blocks of the tree; the last block is padded with zeros. */
function padLevel(level: Uint8Array): Uint8Array {
  const blocks = Buffer.alloc(Math.ceil(level.length / BLOCK) * BLOCK);
  blocks.set(level);
  return blocks;
}
