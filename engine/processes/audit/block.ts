// Encodes and decodes the blocks of the audit partition. A block is a sector: in a power cut a disk has either written
// a sector or not. Acknowledged bytes are overwritten only after their segment was released.
//
//    0  magic           4 bytes, "cAu1"
//    4  checksum        CRC-32 of all that follows
//    8  place           of the block in the partition, 64 bits
//   16  boot id         of the machine's run that wrote it, 16 bytes
//   32  previous        hash of the newest record before the batch, 32 bytes
//   64  index, count    of the block in its batch, 16 bits each
//   68  length          of its content, 16 bits; two bytes of zero
//   72  records         of the batch, one after the other, continuing across blocks

import { crc32 } from "node:zlib";
import { accept, type Result, refuse } from "../../lib/result/result.ts";
import { BOOT_ID_BYTES, HASH_BYTES, isSame, MAX_RECORD_BYTES } from "./record.ts";

export const BLOCK_BYTES = 512;
const BLOCK_HEADER_BYTES = 72;
const ROOM = BLOCK_BYTES - BLOCK_HEADER_BYTES;
const MAGIC = Buffer.from("cAu1", "latin1");

/** Number of bytes of records after which a batch takes no further record; its last record may exceed this number. */
export const BATCH_BYTES = 1024 * 1024;
const MOST_BATCH_BYTES = BATCH_BYTES + MAX_RECORD_BYTES;

/** Returns the number of blocks for this many bytes. */
export function countBlocks(bytes: number): number {
  return Math.ceil(bytes / ROOM);
}

/** Most blocks of one batch. */
export const MOST_BATCH_BLOCKS: number = countBlocks(MOST_BATCH_BYTES);

/** The fields that every block of a batch repeats. */
export interface BatchStamp {
  /** Index of the batch's first block in the partition. */
  readonly place: number;
  readonly bootId: Uint8Array;
  readonly previous: Uint8Array;
}

export interface Block extends BatchStamp {
  /** Index of this block within its batch. */
  readonly index: number;
  /** Number of blocks in the batch. */
  readonly count: number;
  readonly records: Uint8Array;
}

/** Returns the blocks that hold whole records, the last one padded with zeros. */
export function encodeBatch(records: Uint8Array, { place, bootId, previous }: BatchStamp): Buffer {
  const count = countBlocks(records.length);
  const blocks = Buffer.alloc(count * BLOCK_BYTES);
  // Write numbers through a DataView: the methods of a Buffer do more checks.
  const view = new DataView(blocks.buffer, blocks.byteOffset, blocks.length);
  for (let index = 0; index < count; index += 1) {
    const at = index * BLOCK_BYTES;
    const carried = records.subarray(index * ROOM, (index + 1) * ROOM);
    blocks.set(MAGIC, at);
    view.setBigUint64(at + 8, BigInt(place + index), true);
    blocks.set(bootId, at + 16);
    blocks.set(previous, at + 32);
    view.setUint16(at + 64, index, true);
    view.setUint16(at + 66, count, true);
    view.setUint16(at + 68, carried.length, true);
    blocks.set(carried, at + BLOCK_HEADER_BYTES);
    view.setUint32(at + 4, crc32(blocks.subarray(at + 8, at + BLOCK_BYTES)), true);
  }
  return blocks;
}

const ZEROS = Buffer.alloc(BLOCK_BYTES);

export function isBlank(bytes: Uint8Array): boolean {
  return bytes.length === BLOCK_BYTES ? ZEROS.equals(bytes) : bytes.every((byte) => byte === 0);
}

/** Parses the block with the index `place`. Fails if the bytes are not a block that the audit wrote with this index. */
export function readBlock(bytes: Buffer, place: number): Result<Block> {
  if (!MAGIC.equals(bytes.subarray(0, 4))) return refuse("this is no block of an audit");
  if (crc32(bytes.subarray(8)) !== bytes.readUInt32LE(4)) return refuse("the checksum of the block is another");
  const own = bytes.readBigUInt64LE(8);
  if (own !== BigInt(place)) return refuse(`the block belongs to place ${own}, not ${place}`);
  const [index, count, length] = [bytes.readUInt16LE(64), bytes.readUInt16LE(66), bytes.readUInt16LE(68)];
  const isLast = index === count - 1;
  const isFilled = isLast ? length > 0 && length <= ROOM : length === ROOM;
  if (count > MOST_BATCH_BLOCKS || index >= count || index > place || !isFilled)
    return refuse("the block has a form that is never written");
  return accept({
    place: place - index,
    bootId: bytes.subarray(16, 16 + BOOT_ID_BYTES),
    previous: bytes.subarray(32, 32 + HASH_BYTES),
    index,
    count,
    records: bytes.subarray(BLOCK_HEADER_BYTES, BLOCK_HEADER_BYTES + length),
  });
}

export function isSameBatch(one: Block, other: Block): boolean {
  const isThere = one.place === other.place && one.count === other.count;
  return isThere && isSame(one.bootId, other.bootId) && isSame(one.previous, other.previous);
}

/** Returns the offset in the partition of byte `at` of a batch's records; the batch starts at block `place`. */
export function computeOffset(place: number, at: number): number {
  return (place + Math.floor(at / ROOM)) * BLOCK_BYTES + BLOCK_HEADER_BYTES + (at % ROOM);
}

/** Returns the range of blocks that holds `length` bytes of records from an offset on. */
export function computeStretch(offset: number, length: number): { readonly start: number; readonly bytes: number } {
  const within = (offset % BLOCK_BYTES) - BLOCK_HEADER_BYTES;
  return { start: offset - (offset % BLOCK_BYTES), bytes: countBlocks(within + length) * BLOCK_BYTES };
}

/** Returns the bytes of records in a range of blocks that `computeStretch` returned. */
export function extractRecordBytes(stretch: Uint8Array, offset: number, length: number): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < stretch.length; at += BLOCK_BYTES)
    parts.push(stretch.subarray(at + BLOCK_HEADER_BYTES, at + BLOCK_BYTES));
  const within = (offset % BLOCK_BYTES) - BLOCK_HEADER_BYTES;
  return Buffer.concat(parts).subarray(within, within + length);
}
