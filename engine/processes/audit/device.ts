// The raw partition as an open descriptor, accessed only by position. Node cannot make a FileHandle for a descriptor that it did not open
// itself, so this module passes the descriptor's number to the functions of node:fs.

import { fdatasync, fstatSync, read, readSync, writeSync } from "node:fs";
import { promisify } from "node:util";

const CHUNK_BYTES = 256 * 1024;

/** The bytes of a partition, or of a copy of one. */
export interface LogBytes {
  readonly size: number;
  /** Yields the bytes from offset `from` until before `to`, in a new array each time. */
  readonly chunks: (from: number, to: number) => Iterable<Uint8Array>;
}

/** Returns bytes in memory as the bytes of a log, which are read in pieces of `pieceBytes`. */
export function createLogBytes(bytes: Uint8Array, pieceBytes: number = CHUNK_BYTES): LogBytes {
  return {
    size: bytes.length,
    *chunks(from, to) {
      for (let at = from; at < to; at += pieceBytes) yield bytes.slice(at, Math.min(to, at + pieceBytes));
    },
  };
}

/** The operations of a disk that the audit uses; tests pass a device that fails. */
export interface Device extends LogBytes {
  readonly read: (bytes: Uint8Array, position: number) => Promise<number>;
  readonly write: (bytes: Uint8Array, position: number) => Promise<number>;
  /** Resolves when all bytes written so far are on the disk and survive a power cut. */
  readonly sync: () => Promise<void>;
}

/** Yields the bytes of an open file from `from` until before `to`, in a new array each time. Throws if the disk refuses to read. */
export function* readChunks(file: number, from: number, to: number): Generator<Uint8Array, void> {
  for (let at = from; at < to; ) {
    const chunk = new Uint8Array(Math.min(CHUNK_BYTES, to - at));
    const count = readSync(file, chunk, 0, chunk.length, at);
    if (count === 0) return;
    yield chunk.subarray(0, count);
    at += count;
  }
}

const SECTOR_BYTES = 512;

/**
 * Returns the size of an open file or block device in bytes. Node cannot read the size of a block device from the kernel, so
 * this function finds the last readable sector by bisection. Throws if the disk refuses to read.
 */
export function measureSize(file: number): number {
  const { size } = fstatSync(file);
  if (size > 0) return size;
  const sector = new Uint8Array(SECTOR_BYTES);
  const isThere = (index: number) => readSync(file, sector, 0, SECTOR_BYTES, index * SECTOR_BYTES) === SECTOR_BYTES;
  let [least, most] = [0, 1];
  while (isThere(most - 1)) [least, most] = [most, 2 * most];
  while (most - least > 1) {
    const middle = Math.floor((least + most) / 2);
    if (isThere(middle - 1)) least = middle;
    else most = middle;
  }
  return least * SECTOR_BYTES;
}

const reading = promisify(read);
const syncing = promisify(fdatasync);

export function openDevice(descriptor: number): Device {
  return {
    size: measureSize(descriptor),
    chunks: (from, to) => readChunks(descriptor, from, to),
    read: async (bytes, position) => (await reading(descriptor, bytes, 0, bytes.length, position)).bytesRead,
    // A write only copies into the kernel's memory, so a synchronous call costs less than a write in another thread.
    // `sync` waits for the disk.
    write: async (bytes, position) => writeSync(descriptor, bytes, 0, bytes.length, position),
    sync: () => syncing(descriptor),
  };
}
