// The blocks of a partition as a log that only grows. An addition is on the disk before it is acknowledged. Blocks are
// counted from the first one that was ever written. A new block at the end of the log reuses the space of a released block.

import { accept, type Result, refuse } from "../../lib/result/result.ts";
import { countPlaces, splitBlocks } from "./batches.ts";
import { type BatchStamp, BLOCK_BYTES, computeStretch, countBlocks, encodeBatch, extractRecordBytes } from "./block.ts";
import type { Device } from "./device.ts";
import { encodeKey, type LogBounds, type SealingKey } from "./key-block.ts";

export class BlockLog {
  readonly #device: Device;
  readonly #places: number;
  #next: number;
  #bounds: LogBounds;
  #broken: string | undefined;

  /** `next`: index of the block at which the next batch begins. */
  constructor(device: Device, bounds: LogBounds, next: number) {
    this.#device = device;
    this.#places = countPlaces(device.size);
    this.#bounds = bounds;
    this.#next = next;
  }

  /** Index of the block at which the next batch begins. */
  get next(): number {
    return this.#next;
  }

  /** Number of blocks that batches may use. */
  get places(): number {
    return this.#places;
  }

  /** Reason why writing has stopped; `undefined` if it has not. */
  get broken(): string | undefined {
    return this.#broken;
  }

  /** Returns whether this many bytes fit, with `left` bytes free after them. */
  hasRoom(bytes: number, left = 0): boolean {
    return this.#next + countBlocks(bytes) + countBlocks(left) <= this.#bounds.wiped + this.#places;
  }

  /** Returns how many percent of the blocks for batches are used, without the last `left` bytes of these blocks. */
  measureUsedPercent(left: number): number {
    const used = this.#next - this.#bounds.wiped;
    return Math.min(100, Math.floor((100 * used) / Math.max(1, this.#places - countBlocks(left))));
  }

  /**
   * Writes whole records as one batch; returns the index of its first block once the whole batch is on the disk. After
   * a failure it writes nothing more: the kernel may mark pages as clean although they never reached the disk, and a
   * second sync would then succeed without writing them. The next start checks the remains of a failed batch.
   */
  async append(records: Uint8Array, { bootId, previous }: Omit<BatchStamp, "place">): Promise<Result<number>> {
    if (this.#broken !== undefined) return refuse(this.#broken);
    const place = this.#next;
    try {
      await writeBlocks(this.#device, encodeBatch(records, { place, bootId, previous }), place);
    } catch (error) {
      return this.#break(`the disk refused the record: ${getErrorCode(error)}`);
    }
    try {
      await this.#device.sync();
    } catch (error) {
      return this.#break(`the disk did not keep a record: ${getErrorCode(error)}`);
    }
    this.#next = place + countBlocks(records.length);
    return accept(place);
  }

  /**
   * Overwrites the last block of the partition, which no batch uses, with the key and the bounds of the log. The
   * previous key is gone when this resolves. Fails if the disk fails or has failed before.
   */
  async keepKey(key: SealingKey, bounds: LogBounds = this.#bounds): Promise<Result<void>> {
    if (this.#broken !== undefined) return refuse(this.#broken);
    this.#bounds = bounds;
    try {
      const { size } = this.#device;
      await writeAll(this.#device, encodeKey(key, bounds), size - (size % BLOCK_BYTES) - BLOCK_BYTES);
      await this.#device.sync();
      return accept(undefined);
    } catch (error) {
      return this.#break(`the disk did not keep the key of the next seal: ${getErrorCode(error)}`);
    }
  }

  /** Writes `recent` into the key block: the block at which a start begins to read. Fails like `keepKey`. */
  keepRecent(key: SealingKey, recent: number): Promise<Result<void>> {
    return this.keepKey(key, { ...this.#bounds, recent });
  }

  /**
   * Gives up the blocks before `first`: overwrites them with zeros, and lets new batches use them. Fails if the disk
   * fails. The new beginning is on the disk before a block is overwritten; the next start completes a release that a
   * crash interrupted.
   */
  async release(key: SealingKey, first: number): Promise<Result<void>> {
    const kept = await this.keepKey(key, { ...this.#bounds, first, recent: Math.max(first, this.#bounds.recent) });
    if (!kept.ok) return kept;
    try {
      for (const { start, blocks } of splitBlocks(this.#bounds.wiped, first, this.#places))
        await wipe(this.#device, start, blocks);
    } catch (error) {
      return this.#break(`the disk did not overwrite released records: ${getErrorCode(error)}`);
    }
    return await this.keepKey(key, { ...this.#bounds, wiped: first });
  }

  #break(reason: string): Result<never> {
    this.#broken = `${reason}; nothing more is recorded until the next boot`;
    return refuse(this.#broken);
  }

  /** Returns the bytes of a written record. */
  async read(offset: number, length: number): Promise<Uint8Array> {
    const { start, bytes } = computeStretch(offset, length);
    const stretch = new Uint8Array(bytes);
    const from = start / BLOCK_BYTES;
    let at = 0;
    for (const part of splitBlocks(from, from + bytes / BLOCK_BYTES, this.#places)) {
      const end = at + part.blocks * BLOCK_BYTES;
      await this.#device.read(stretch.subarray(at, end), part.start * BLOCK_BYTES);
      at = end;
    }
    return extractRecordBytes(stretch, offset, length);
  }
}

const PIECE_BYTES = 256 * 1024;

/** Overwrites with zeros the blocks that a torn batch left; the zeros are on the disk when this resolves. */
export async function wipeTorn(device: Device, place: number, blocks: number): Promise<void> {
  for (const part of splitBlocks(place, place + blocks, countPlaces(device.size)))
    await wipe(device, part.start, part.blocks);
}

/** Overwrites blocks of the partition with zeros; the zeros are on the disk when this resolves. */
async function wipe(device: Device, place: number, blocks: number): Promise<void> {
  const [start, end] = [place * BLOCK_BYTES, (place + blocks) * BLOCK_BYTES];
  for (let at = start; at < end; at += PIECE_BYTES) {
    await writeAll(device, new Uint8Array(Math.min(PIECE_BYTES, end - at)), at);
  }
  await device.sync();
}

async function writeBlocks(device: Device, blocks: Uint8Array, place: number): Promise<void> {
  let at = 0;
  for (const part of splitBlocks(place, place + blocks.length / BLOCK_BYTES, countPlaces(device.size))) {
    const end = at + part.blocks * BLOCK_BYTES;
    await writeAll(device, blocks.subarray(at, end), part.start * BLOCK_BYTES);
    at = end;
  }
}

async function writeAll(device: Device, bytes: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const count = await device.write(bytes.subarray(written), position + written);
    if (count === 0) throw Object.assign(new Error("nothing was written"), { code: "ENOSPC" });
    written += count;
  }
}

/** Returns the system's code of an error. Codes may be shown; messages may not, because they contain paths of the machine. */
export function getErrorCode(error: unknown): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  throw error;
}
