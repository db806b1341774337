// Encodes and decodes the block before the key block. `capc audit release` writes it while the machine is off, and the
// audit reads it at its start. The block states up to which record a person has exported the log. The block is not a
// record of the chain: the audit compares the block with the chain, and then appends a record of the release.
//
//    0  magic           4 bytes, "cAr1"
//    4  checksum        CRC-32 of the rest of the block
//    8  sequence        of the last exported record, 64 bits
//   16  hash            of that record, 32 bytes. Zeros behind it

import { crc32 } from "node:zlib";
import { BLOCK_BYTES } from "./block.ts";
import { HASH_BYTES } from "./record.ts";

const MAGIC = Buffer.from("cAr1", "latin1");
const HASH_AT = 16;
const REST_AT = HASH_AT + HASH_BYTES;
const REST = Buffer.alloc(BLOCK_BYTES - REST_AT);

/** Identifies the last record of an export that a person has confirmed. */
export interface ExportedThrough {
  readonly sequence: bigint;
  readonly hash: Uint8Array;
}

export function encodeReleaseBlock({ sequence, hash }: ExportedThrough): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES);
  block.set(MAGIC);
  block.writeBigUInt64LE(sequence, 8);
  block.set(hash, HASH_AT);
  block.writeUInt32LE(crc32(block.subarray(8)), 4);
  return block;
}

/** Returns the content of a block, or `undefined` if the block is not a release block. */
export function parseReleaseBlock(bytes: Buffer): ExportedThrough | undefined {
  if (bytes.length !== BLOCK_BYTES || !MAGIC.equals(bytes.subarray(0, MAGIC.length))) return undefined;
  if (crc32(bytes.subarray(8)) !== bytes.readUInt32LE(4) || !REST.equals(bytes.subarray(REST_AT))) return undefined;
  return { sequence: bytes.readBigUInt64LE(8), hash: new Uint8Array(bytes.subarray(HASH_AT, REST_AT)) };
}
