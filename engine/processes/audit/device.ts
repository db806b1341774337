// The raw partition as an open descriptor, accessed only by position. Node has no handle for a descriptor that it did not open itself.

import { fdatasync, read, readSync, writeSync } from "node:fs";
import { promisify } from "node:util";

/** The operations of a disk that the audit uses; tests pass a device that fails. */
export interface Device {
  /** Yields the device's bytes from the start, in a new array each time. */
  readonly chunks: () => Iterable<Uint8Array>;
  readonly read: (bytes: Uint8Array, position: number) => Promise<number>;
  readonly write: (bytes: Uint8Array, position: number) => Promise<number>;
  /** Resolves when all bytes written so far are on the disk and survive a power cut. */
  readonly sync: () => Promise<void>;
}

const CHUNK_BYTES = 256 * 1024;

/** Yields the bytes of an open file, in a new array each time. Throws if the disk refuses to read. */
export function* readChunks(
  file: number,
  from = 0,
  size: number = Number.POSITIVE_INFINITY,
): Generator<Uint8Array, void> {
  for (let at = 0; at < size; ) {
    const chunk = new Uint8Array(Math.min(CHUNK_BYTES, size - at));
    const count = readSync(file, chunk, 0, chunk.length, from + at);
    if (count === 0) return;
    yield chunk.subarray(0, count);
    at += count;
  }
}

const reading = promisify(read);
const syncing = promisify(fdatasync);

export function openDevice(descriptor: number): Device {
  return {
    chunks: () => readChunks(descriptor),
    read: async (bytes, position) => (await reading(descriptor, bytes, 0, bytes.length, position)).bytesRead,
    // A write only copies into the kernel's memory, so a synchronous call costs less than another thread. `sync` waits
    // for the disk.
    write: async (bytes, position) => writeSync(descriptor, bytes, 0, bytes.length, position),
    sync: () => syncing(descriptor),
  };
}
