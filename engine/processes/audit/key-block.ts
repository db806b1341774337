// Encodes and decodes the last block of the audit partition, which has the secret key of the next seal. The audit
// overwrites this block in place, because the previous content must be destroyed.
//
//    0  magic           4 bytes, "cAk1"
//    4  checksum        CRC-32 of the rest of the block
//    8  epoch           of the next seal, 32 bits; 32 bits of zero
//   16  seed            of that epoch's key, 32 bytes
//   48  digest key      of withheld texts, 32 bytes; zero in logs of older versions, which had none
//   80  first           block at which the oldest kept segment begins, 64 bits
//   88  wiped           block up to which released segments are overwritten with zeros, 64 bits
//   96  recent          block at which a start begins to read, 64 bits; zeros behind it

import { crc32 } from "node:zlib";
import { BLOCK_BYTES } from "./block.ts";
import { SEED_BYTES } from "./signing.ts";
import { DIGEST_KEY_BYTES } from "./withheld.ts";

const MAGIC = Buffer.from("cAk1", "latin1");
const SEED_AT = 16;
const DIGEST_KEY_AT = SEED_AT + SEED_BYTES;
const BOUNDS_AT = DIGEST_KEY_AT + DIGEST_KEY_BYTES;
const REST_AT = BOUNDS_AT + 3 * 8;
const NO_DIGEST_KEY = Buffer.alloc(DIGEST_KEY_BYTES);
const REST = Buffer.alloc(BLOCK_BYTES - REST_AT);

/**
 * The secrets of a log: the seed of an epoch with the number of the epoch, and the key of the digests, which never
 * changes.
 */
export interface SealingKey {
  readonly epoch: number;
  readonly seed: Uint8Array;
  /** Absent in logs of older versions, which had no digest key. */
  readonly digestKey?: Uint8Array | undefined;
}

/** The range of blocks that a log has kept. Blocks are counted from the first one that was ever written. */
export interface LogBounds {
  /** The block at which the oldest kept segment begins. */
  readonly first: number;
  /** The block up to which released segments are overwritten; it is less than `first` if a crash interrupted a release. */
  readonly wiped: number;
  /** The block of the checkpoint at which a start begins to read; at least `first`. */
  readonly recent: number;
}

/** The bounds of a log that has released nothing and has no checkpoint. */
export const WHOLE_LOG: LogBounds = { first: 0, wiped: 0, recent: 0 };

/** The content of a key block: the secrets of a log, and the range of blocks that the log has kept. */
export interface KeyBlock extends SealingKey {
  readonly bounds: LogBounds;
}

export function encodeKey(
  { epoch, seed, digestKey = NO_DIGEST_KEY }: SealingKey,
  bounds: LogBounds = WHOLE_LOG,
): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES);
  block.set(MAGIC);
  block.writeUInt32LE(epoch, 8);
  block.set(seed, SEED_AT);
  block.set(digestKey, DIGEST_KEY_AT);
  const { first, wiped, recent } = bounds;
  for (const [index, place] of [first, wiped, recent].entries())
    block.writeBigUInt64LE(BigInt(place), BOUNDS_AT + 8 * index);
  block.writeUInt32LE(crc32(block.subarray(8)), 4);
  return block;
}

/** Returns whether a block begins like a key block. Such a block is a key block, or a damaged one. */
export function isKeyBlock(bytes: Buffer): boolean {
  return MAGIC.equals(bytes.subarray(0, MAGIC.length));
}

/** Returns the content of a block, or `undefined` if the block has a form that this program never writes. */
export function parseKeyBlock(bytes: Buffer): KeyBlock | undefined {
  const isWhole =
    bytes.length === BLOCK_BYTES && isKeyBlock(bytes) && crc32(bytes.subarray(8)) === bytes.readUInt32LE(4);
  if (!isWhole || bytes.readUInt32LE(12) !== 0 || !REST.equals(bytes.subarray(REST_AT))) return undefined;
  const [first, wiped, recent] = [0, 1, 2].map((index) => Number(bytes.readBigUInt64LE(BOUNDS_AT + 8 * index)));
  if (first === undefined || wiped === undefined || recent === undefined) return undefined;
  if (wiped > first || first > recent || !Number.isSafeInteger(recent * BLOCK_BYTES)) return undefined;
  const seed = new Uint8Array(bytes.subarray(SEED_AT, DIGEST_KEY_AT));
  const found = bytes.subarray(DIGEST_KEY_AT, BOUNDS_AT);
  const digestKey = NO_DIGEST_KEY.equals(found) ? undefined : new Uint8Array(found);
  return { epoch: bytes.readUInt32LE(8), seed, digestKey, bounds: { first, wiped, recent } };
}
