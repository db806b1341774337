// The last block of the partition. It is the only block that is overwritten, because its previous content must be
// destroyed.
//
// 0 magic 4 bytes, "cAk1" 4 checksum CRC-32 of the rest of the block 8 epoch of the next seal, 32 bits; 32 bits of zero
// 16 seed of that epoch's key, 32 bytes 48 digest key of withheld texts, 32 bytes; zero in logs of older versions. The
// rest is zero

import { crc32 } from "node:zlib";
import { BLOCK_BYTES } from "./block.ts";
import { SEED_BYTES } from "./signing.ts";
import { DIGEST_KEY_BYTES } from "./withheld.ts";

const MAGIC = Buffer.from("cAk1", "latin1");
const SEED_AT = 16;
const DIGEST_KEY_AT = SEED_AT + SEED_BYTES;
const REST_AT = DIGEST_KEY_AT + DIGEST_KEY_BYTES;
const NO_DIGEST_KEY = Buffer.alloc(DIGEST_KEY_BYTES);
const REST = Buffer.alloc(BLOCK_BYTES - REST_AT);

/** The secrets of a log: a seed with the epoch that it is for, and the key of its digests, which stays the same. */
export interface SealingKey {
  readonly epoch: number;
  readonly seed: Uint8Array;
  /** Absent in logs of older versions, which had no digest key. */
  readonly digestKey?: Uint8Array | undefined;
}

export function encodeKey({ epoch, seed, digestKey = NO_DIGEST_KEY }: SealingKey): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES);
  block.set(MAGIC);
  block.writeUInt32LE(epoch, 8);
  block.set(seed, SEED_AT);
  block.set(digestKey, DIGEST_KEY_AT);
  block.writeUInt32LE(crc32(block.subarray(8)), 4);
  return block;
}

/** Returns whether a block begins like a key. Such a block is a key, or a damaged one. */
export function isKeyBlock(bytes: Buffer): boolean {
  return MAGIC.equals(bytes.subarray(0, MAGIC.length));
}

/** Returns the key in a block, or `undefined` if the block has a form that this program never writes. */
export function parseKeyBlock(bytes: Buffer): SealingKey | undefined {
  const isWhole =
    bytes.length === BLOCK_BYTES && isKeyBlock(bytes) && crc32(bytes.subarray(8)) === bytes.readUInt32LE(4);
  if (!isWhole || bytes.readUInt32LE(12) !== 0 || !REST.equals(bytes.subarray(REST_AT))) return undefined;
  const seed = new Uint8Array(bytes.subarray(SEED_AT, DIGEST_KEY_AT));
  const found = bytes.subarray(DIGEST_KEY_AT, REST_AT);
  const digestKey = NO_DIGEST_KEY.equals(found) ? undefined : new Uint8Array(found);
  return { epoch: bytes.readUInt32LE(8), seed, digestKey };
}
