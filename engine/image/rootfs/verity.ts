// The hash tree of a large file, as the kernel's dm-verity reads it: each block is checked when it is read and not only when
// the machine starts. The tree lies behind the content in the same file; what is signed is its root hash.
//
// Form 1 of dm-verity without a superblock: a block's digest is SHA-256(salt, block); a block of the tree holds 128 digests,
// the rest of it zeros; levels lie from the root down. `verity.test.ts` has Debian's veritysetup read it.

import { createHash } from "node:crypto";
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import type { Verity } from "../../lib/wire/generated/manifest.ts";

export const BLOCK = 4096;
const DIGEST = 32;
const DIGESTS_A_BLOCK = BLOCK / DIGEST;
/** Blocks of one read: large enough that reading costs little beside hashing. */
const BLOCKS_A_READ = 256;

/** Reads exactly `length` bytes at `offset`; behind the end of the content zeros. */
type ReadAt = (offset: number, length: number) => Uint8Array;

interface HashTree {
  readonly tree: Uint8Array;
  readonly rootHash: Uint8Array;
}

/** Memory: the tree, 1/127 of the content, and one read. */
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

/** Size of a file with its tree; the reader holds this against the file that it finds. */
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
 * Fills `file` up to whole blocks and writes its tree behind it. The salt is made of the artefact's name: the same name and
 * content give the same bytes. It costs nothing, and equal blocks of two artefacts have different digests.
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

/** One digest after the other, of so many blocks. */
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

/** A level as blocks of the tree, the last one filled with zeros. */
function padLevel(level: Uint8Array): Uint8Array {
  const blocks = Buffer.alloc(Math.ceil(level.length / BLOCK) * BLOCK);
  blocks.set(level);
  return blocks;
}
