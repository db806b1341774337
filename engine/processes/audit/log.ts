// The blocks of a partition as a log that only grows. An appended block is on the disk before it is acknowledged.

import { accept, type Result, refuse } from "../../lib/result/result.ts";
import { type BatchStamp, BLOCK_BYTES, computeStretch, countBlocks, encodeBatch, extractRecordBytes } from "./block.ts";
import type { Device } from "./device.ts";
import { encodeKey, type SealingKey } from "./key-block.ts";

export class BlockLog {
  readonly #device: Device;
  readonly #places: number;
  #next: number;
  #broken: string | undefined;

  /**
   * `places`: blocks that batches may use; the key is in the block after them. `next`: index of the block at which the next batch begins.
   */
  constructor(device: Device, places: number, next: number) {
    this.#device = device;
    this.#places = places;
    this.#next = next;
  }

  /** Reason why writing has stopped; `undefined` if it has not. */
  get broken(): string | undefined {
    return this.#broken;
  }

  /** Returns whether this many bytes fit, with `left` bytes free after them. */
  hasRoom(bytes: number, left = 0): boolean {
    return this.#next + countBlocks(bytes) + countBlocks(left) <= this.#places;
  }

  /** Returns the percent of the room that is used, not counting the `left` bytes at the end. */
  measureUsedPercent(left: number): number {
    return Math.min(100, Math.floor((100 * this.#next) / Math.max(1, this.#places - countBlocks(left))));
  }

  /**
   * Writes whole records as one batch; returns the place of its first block once all of it is on the disk. After a
   * failure it writes nothing more: the kernel may mark pages as clean that never reached the disk, so that a second
   * sync would succeed without them. The next start checks the remains of a failed batch.
   */
  async append(records: Uint8Array, { bootId, previous }: Omit<BatchStamp, "place">): Promise<Result<number>> {
    if (this.#broken !== undefined) return refuse(this.#broken);
    const place = this.#next;
    try {
      await writeAll(this.#device, encodeBatch(records, { place, bootId, previous }), place * BLOCK_BYTES);
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
   * Overwrites the last block of the partition, which no batch uses. When the promise resolves, the previous key is no
   * longer on the disk.
   */
  async keepKey(key: SealingKey): Promise<Result<void>> {
    if (this.#broken !== undefined) return refuse(this.#broken);
    try {
      await writeAll(this.#device, encodeKey(key), this.#places * BLOCK_BYTES);
      await this.#device.sync();
      return accept(undefined);
    } catch (error) {
      return this.#break(`the disk did not keep the key of the next seal: ${getErrorCode(error)}`);
    }
  }

  #break(reason: string): Result<never> {
    this.#broken = `${reason}; nothing more is recorded until the next boot`;
    return refuse(this.#broken);
  }

  /** Returns the bytes of a written record. */
  async read(offset: number, length: number): Promise<Uint8Array> {
    const { start, bytes } = computeStretch(offset, length);
    const stretch = new Uint8Array(bytes);
    await this.#device.read(stretch, start);
    return extractRecordBytes(stretch, offset, length);
  }
}

const PIECE_BYTES = 256 * 1024;

/** Overwrites the remains of a torn batch with zeros; they are on the disk when this resolves. */
export async function wipe(device: Device, place: number, blocks: number): Promise<void> {
  const [start, end] = [place * BLOCK_BYTES, (place + blocks) * BLOCK_BYTES];
  for (let at = start; at < end; at += PIECE_BYTES) {
    await writeAll(device, new Uint8Array(Math.min(PIECE_BYTES, end - at)), at);
  }
  await device.sync();
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
