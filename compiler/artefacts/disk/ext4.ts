// Parses the files of an ext4 file system as untrusted input. This module does not mount the file system, so no kernel
// and no program of the host parses a hostile disk. It supports the features that mke2fs uses by default; it refuses a
// file system with any other feature, and names the feature.

import type { Result } from "../../../engine/lib/result/result.ts";
import { replay } from "./ext4-journal.ts";
import type { ReadAt } from "./gpt.ts";

const SUPERBLOCK_AT = 1024;
const JOURNAL_INODE_AT = 224;
const MAGIC = 0xef53;
const [FILETYPE, RECOVER, EXTENTS, WIDE, FLEX_BG, CHECKSUM_SEED, LARGE_DIRECTORY] = [
  0x2, 0x4, 0x40, 0x80, 0x200, 0x2000, 0x4000,
];
/** Maximum size of a journal in bytes; a file system of 1 GiB has a journal of 32 MiB. */
const MOST_JOURNAL_BYTES = 128 * 1024 * 1024;
const READ = FILETYPE | EXTENTS | WIDE | FLEX_BG | CHECKSUM_SEED | LARGE_DIRECTORY;
const LARGEST_BLOCK_SHIFT = 6;
const ROOT = 2;
const [DIRECTORY, FILE, KIND] = [0x4000, 0x8000, 0xf000];
const USES_EXTENTS = 0x80000;
const EXTENT_MAGIC = 0xf30a;
/** Maximum depth of an extent tree in the format of ext4. */
const DEEPEST = 5;
/** Maximum number of extents of one file. This is enough for a database of 96 MiB whose extents have 4 KiB each. */
const MOST_EXTENTS = 32 * 1024;
const MOST_DIRECTORY_BYTES = 4 * 1024 * 1024;
/** Limit of an extent's block count: an extent with a larger count is allocated but was never written. */
const UNWRITTEN = 32768;

interface Shape {
  readonly readAt: ReadAt;
  readonly block: number;
  readonly inodes: number;
  readonly inodesPerGroup: number;
  readonly inodeBytes: number;
  readonly descriptorBytes: number;
  readonly descriptorsAt: number;
}

interface Inode {
  readonly mode: number;
  readonly size: number;
  readonly flags: number;
  readonly tree: Buffer;
}

/** Error that ends the reading of a file system; its message is the reason that the caller reports. */
class Unsound extends Error {}

export class Ext4 {
  readonly #shape: Shape;
  /**
   * Cached entries of each directory, by its inode. So a huge hostile directory is read only once, even if many files
   * in it are requested.
   */
  readonly #directories = new Map<number, ReadonlyMap<string, number>>();

  private constructor(shape: Shape) {
    this.#shape = shape;
  }

  /**
   * Opens the file system of a partition that `readAt` reads. A pending journal is replayed in memory, as the next
   * mount would do it. Fails if the file system is malformed, or has features that this module does not support.
   */
  static open(readAt: ReadAt): Result<Ext4> {
    return tryWalk(() => {
      const { shape, journal } = readShape(readAt);
      return new Ext4(journal === undefined ? shape : readShape(applyJournal(shape, journal)).shape);
    });
  }

  /**
   * Returns a file in a directory of the root, or `undefined` if there is none. Fails if it is not a regular file, or
   * has more than `most` bytes.
   */
  readFile(directory: string, name: string, most: number): Result<Buffer | undefined> {
    return tryWalk(() => {
      const folder = this.#findInode(ROOT, directory);
      const number = folder === undefined ? undefined : this.#findInode(folder, name);
      if (number === undefined) return undefined;
      const inode = readInode(this.#shape, number);
      if ((inode.mode & KIND) !== FILE) throw new Unsound(`/${directory}/${name} is no file`);
      if (inode.size > most)
        throw new Unsound(`/${directory}/${name} has ${inode.size} bytes, and ${most} is the most`);
      return readContent(this.#shape, inode);
    });
  }

  /** Returns the inode of a name in a directory, or `undefined` if the directory does not contain the name. */
  #findInode(directory: number, wanted: string): number | undefined {
    const known = this.#directories.get(directory) ?? readEntries(this.#shape, directory);
    this.#directories.set(directory, known);
    return known.get(wanted);
  }
}

/**
 * Returns the entries of a directory as inodes by name; the first of two entries with the same name counts. Throws
 * `Unsound` if an entry is malformed.
 */
function readEntries(shape: Shape, directory: number): ReadonlyMap<string, number> {
  const inode = readInode(shape, directory);
  if ((inode.mode & KIND) !== DIRECTORY || inode.size > MOST_DIRECTORY_BYTES) throw new Unsound("a directory is none");
  const bytes = readContent(shape, inode);
  const entries = new Map<string, number>();
  // A directory with an index can be read like a directory without one: the index is stored in space that looks unused
  // to other readers.
  for (let at = 0; at + 8 <= bytes.length; ) {
    const [number, length, nameLength] = [bytes.readUInt32LE(at), bytes.readUInt16LE(at + 4), bytes.readUInt8(at + 6)];
    if (length < 8 || length % 4 !== 0 || at + length > bytes.length || nameLength + 8 > length)
      throw new Unsound("an entry of a directory is unsound");
    const name = bytes.toString("latin1", at + 8, at + 8 + nameLength);
    if (number !== 0 && !entries.has(name)) entries.set(name, number);
    at += length;
  }
  return entries;
}

function tryWalk<T>(walk: () => T): Result<T> {
  try {
    return { ok: true, value: walk() };
  } catch (error) {
    if (!(error instanceof Unsound)) throw error;
    return { ok: false, reason: `its file system: ${error.message}` };
  }
}

/** Returns a reader that shows the disk as it is after a replay of the journal; the disk itself does not change. */
function applyJournal(shape: Shape, journal: number): ReadAt {
  const inode = readInode(shape, journal);
  if ((inode.mode & KIND) !== FILE || inode.size > MOST_JOURNAL_BYTES) throw new Unsound("its journal is none");
  const replayed = replay(readContent(shape, inode), shape.block);
  if (!replayed.ok) throw new Unsound(replayed.reason);
  const { readAt, block } = shape;
  return (at, length) => {
    const bytes = Buffer.from(readAt(at, length));
    for (let number = Math.floor(at / block); number * block < at + bytes.length; number += 1) {
      const offset = number * block - at;
      replayed.value.get(number)?.copy(bytes, Math.max(0, offset), Math.max(0, -offset), bytes.length - offset);
    }
    return bytes;
  };
}

/** Returns the layout of the file system. `journal` is the inode of the journal if the journal must be replayed before files are read. */
function readShape(readAt: ReadAt): { readonly shape: Shape; readonly journal: number | undefined } {
  const block = readExactly(readAt, SUPERBLOCK_AT, 1024);
  const [shift, features] = [block.readUInt32LE(24), block.readUInt32LE(96)];
  if (block.readUInt16LE(56) !== MAGIC || shift > LARGEST_BLOCK_SHIFT) throw new Unsound("it is no ext4");
  if ((features & ~(READ | RECOVER)) !== 0 || (features & FILETYPE) === 0)
    throw new Unsound(`it has features that are not read here (0x${features.toString(16)})`);
  const bytes = 1024 << shift;
  const [inodesPerGroup, inodeBytes] = [block.readUInt32LE(40), block.readUInt16LE(88)];
  const descriptorBytes = (features & WIDE) === 0 ? 32 : block.readUInt16LE(254);
  if (inodesPerGroup === 0 || inodeBytes < 128 || inodeBytes > bytes || descriptorBytes < 32 || descriptorBytes > bytes)
    throw new Unsound("its superblock contradicts itself");
  const descriptorsAt = (block.readUInt32LE(20) + 1) * bytes;
  const shape = {
    readAt,
    block: bytes,
    inodes: block.readUInt32LE(0),
    inodesPerGroup,
    inodeBytes,
    descriptorBytes,
    descriptorsAt,
  };
  return { shape, journal: (features & RECOVER) === 0 ? undefined : block.readUInt32LE(JOURNAL_INODE_AT) };
}

function readInode(shape: Shape, number: number): Inode {
  const { readAt, inodesPerGroup, inodeBytes, descriptorBytes, descriptorsAt, inodes } = shape;
  if (number < 1 || number > inodes) throw new Unsound("an entry names an inode that is not there");
  const [group, index] = [Math.floor((number - 1) / inodesPerGroup), (number - 1) % inodesPerGroup];
  const descriptor = readExactly(readAt, descriptorsAt + group * descriptorBytes, descriptorBytes);
  const table = combineHalves(descriptor.readUInt32LE(8), descriptorBytes >= 64 ? descriptor.readUInt32LE(40) : 0);
  const bytes = readExactly(readAt, table * shape.block + index * inodeBytes, 128);
  return {
    mode: bytes.readUInt16LE(0),
    size: combineHalves(bytes.readUInt32LE(4), bytes.readUInt32LE(108)),
    flags: bytes.readUInt32LE(32),
    tree: Buffer.from(bytes.subarray(40, 100)),
  };
}

/** Returns the whole content of a file; blocks that were never written are zero. */
function readContent(shape: Shape, { size, flags, tree }: Inode): Buffer {
  if ((flags & USES_EXTENTS) === 0) throw new Unsound("a file is kept in a way that is not read here");
  const content = Buffer.alloc(size);
  let left = MOST_EXTENTS;
  /**
   * The extents of a file must be in ascending order; otherwise a tree that repeats an extent could be read without
   * end.
   */
  let next = 0;
  const take = (node: Buffer, depth: number): void => {
    const [magic, count, below] = [node.readUInt16LE(0), node.readUInt16LE(2), node.readUInt16LE(6)];
    if (magic !== EXTENT_MAGIC || below !== depth || 12 * (count + 1) > node.length)
      throw new Unsound("where a file lies is unsound");
    for (let at = 12; at < 12 * (count + 1); at += 12) {
      left -= 1;
      if (left < 0) throw new Unsound("a file lies in too many pieces");
      if (depth === 0) {
        if (node.readUInt32LE(at) < next) throw new Unsound("pieces of a file lie over one another");
        next = node.readUInt32LE(at) + (node.readUInt16LE(at + 4) % UNWRITTEN || UNWRITTEN);
        copyExtent(shape, node, at, content);
      } else {
        const child = combineHalves(node.readUInt32LE(at + 4), node.readUInt16LE(at + 8));
        take(readExactly(shape.readAt, child * shape.block, shape.block), depth - 1);
      }
    }
  };
  const depth = tree.readUInt16LE(6);
  if (depth > DEEPEST) throw new Unsound("where a file lies is unsound");
  take(tree, depth);
  return content;
}

function copyExtent({ readAt, block }: Shape, node: Buffer, at: number, content: Buffer): void {
  const [first, length] = [node.readUInt32LE(at), node.readUInt16LE(at + 4)];
  const from = first * block;
  if (length > UNWRITTEN || from >= content.length) return;
  const bytes = Math.min(length * block, content.length - from);
  const start = combineHalves(node.readUInt32LE(at + 8), node.readUInt16LE(at + 6));
  readExactly(readAt, start * block, bytes).copy(content, from);
}

/** Joins the two parts of a block number. The number has at most 48 bits, so a JavaScript number is exact. */
function combineHalves(low: number, high: number): number {
  const value = high * 2 ** 32 + low;
  if (!Number.isSafeInteger(value)) throw new Unsound("a number in it is too large");
  return value;
}

function readExactly(readAt: ReadAt, offset: number, length: number): Buffer {
  if (!Number.isSafeInteger(offset)) throw new Unsound("a number in it is too large");
  const bytes = readAt(offset, length);
  if (bytes.length !== length) throw new Unsound("it ends too early");
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
