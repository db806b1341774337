// Splits a partition into batches, and checks the blocks after the last complete batch. A power cut may leave any
// subset of the blocks of one unacknowledged batch, and zeros in place of the others. Anything else is a fault.

import { refuse } from "../../lib/result/result.ts";
import { BLOCK_BYTES, type Block, isBlank, isSameBatch, readBlock } from "./block.ts";
import type { LogBytes } from "./device.ts";
import { isKeyBlock, type KeyBlock, parseKeyBlock, WHOLE_LOG } from "./key-block.ts";
import { type ExportedThrough, parseReleaseBlock } from "./release-block.ts";

export type Piece =
  | {
      readonly kind: "batch";
      /** Index of the batch's first block in the log. */
      readonly place: number;
      readonly blocks: number;
      readonly first: Block;
      readonly records: Uint8Array;
    }
  /**
   * The last piece that `readPieces` yields, if all blocks of the partition are valid. `place` is the index of the
   * block at which the next batch begins, and `torn` the number of bytes of an incomplete batch found there. `key` is
   * absent if the last block does not contain a key.
   */
  | {
      readonly kind: "end";
      readonly place: number;
      readonly torn: number;
      readonly bytes: number;
      readonly key: KeyBlock | undefined;
    }
  /** The last piece that `readPieces` yields, if the bytes of the partition from block `place` on are not valid. */
  | { readonly kind: "fault"; readonly place: number; readonly reason: string };

/** Number of blocks at the end of a partition that no batch uses: the release block and the key block. */
export const LAST_BLOCKS = 2;

/** Returns the number of blocks that batches may use. */
export function countPlaces(size: number): number {
  return Math.max(0, Math.floor(size / BLOCK_BYTES) - LAST_BLOCKS);
}

/**
 * The block at which reading begins. `first` is the oldest kept block; `recent` is the newest checkpoint, which is
 * enough to start the machine.
 */
export type Beginning = "first" | "recent";

/** Returns the content of the key block, or `undefined` if the last block is not a key block. */
export function readKeyBlock(log: LogBytes): KeyBlock | undefined {
  return parseKeyBlock(readOne(log, log.size - BLOCK_BYTES));
}

/**
 * Returns the last record of the newest export that a person has confirmed, or `undefined` if nobody has confirmed one.
 */
export function readReleaseBlock(log: LogBytes): ExportedThrough | undefined {
  return parseReleaseBlock(readOne(log, log.size - LAST_BLOCKS * BLOCK_BYTES));
}

function readOne({ chunks, size }: LogBytes, from: number): Buffer {
  return from < 0 || size % BLOCK_BYTES !== 0 ? Buffer.alloc(0) : Buffer.concat([...chunks(from, from + BLOCK_BYTES)]);
}

/**
 * Reads the chunks of a partition one by one, with at most one batch and one chunk in memory. If reading begins at the first block and no
 * segment was ever released, the whole partition is read, and no key block is needed.
 */
export function* readPieces(log: LogBytes, key: KeyBlock | undefined, beginning: Beginning): Generator<Piece, void> {
  const { wiped, [beginning]: next } = key?.bounds ?? WHOLE_LOG;
  const places = countPlaces(log.size);
  const isWhole = next === 0;
  const cutter = new Cutter(next, isWhole ? places : undefined);
  const parts = isWhole
    ? [{ start: 0, blocks: log.size / BLOCK_BYTES }]
    : splitBlocks(next, Math.max(next, wiped + places), places);
  for (const [place, bytes] of readBlocks(readParts(log, parts), next, () => cutter.isBetween)) {
    const piece = cutter.take(place, bytes);
    if (piece !== undefined) yield piece;
    if (piece?.kind === "fault") return;
  }
  yield isWhole ? cutter.end() : { ...cutter.end(), bytes: log.size, key };
}

/**
 * Returns the ranges of the partition that contain the blocks of the log from `from` until before `to`. There are two
 * ranges if the log continues at the start of the partition. `places` is the number of blocks that batches may use.
 */
export function splitBlocks(
  from: number,
  to: number,
  places: number,
): { readonly start: number; readonly blocks: number }[] {
  const parts: { start: number; blocks: number }[] = [];
  for (let place = from; place < to; ) {
    const start = place % places;
    const blocks = Math.min(places - start, to - place);
    parts.push({ start, blocks });
    place += blocks;
  }
  return parts;
}

function* readParts({ chunks }: LogBytes, parts: ReturnType<typeof splitBlocks>): Generator<Uint8Array, void> {
  for (const { start, blocks } of parts) yield* chunks(start * BLOCK_BYTES, (start + blocks) * BLOCK_BYTES);
}

class Cutter {
  /** Index of the block at which the next batch must begin. */
  #next: number;
  /** Blocks of the current batch that were found so far. */
  #found: Block[] = [];
  #bytes = 0;
  #key: KeyBlock | undefined;
  /** Index of the release block; `undefined` if only blocks of batches are read. */
  readonly #release: number | undefined;

  constructor(next: number, release: number | undefined) {
    this.#next = next;
    this.#release = release;
  }

  /** Returns whether the next block begins a batch; the reader may then skip a chunk of zeros. */
  get isBetween(): boolean {
    return this.#found.length === 0;
  }

  take(place: number, bytes: Buffer): Piece | undefined {
    this.#bytes = (place + 1) * BLOCK_BYTES;
    if (this.#key !== undefined) return { kind: "fault", place, reason: "the key stands before the end" };
    if (isBlank(bytes)) return undefined;
    if (place === this.#release && parseReleaseBlock(bytes) !== undefined) return undefined;
    if (this.#release !== undefined && isKeyBlock(bytes)) return this.#takeKey(place, bytes);
    const block = bytes.length < BLOCK_BYTES ? refuse("the partition ends within a block") : readBlock(bytes, place);
    if (!block.ok) return { kind: "fault", place, reason: block.reason };
    return this.#checkBlock(block.value, place) ?? this.#add(block.value);
  }

  #takeKey(place: number, bytes: Buffer): Piece | undefined {
    this.#key = parseKeyBlock(bytes);
    return this.#key === undefined ? { kind: "fault", place, reason: "the block of the key is damaged" } : undefined;
  }

  #checkBlock(block: Block, place: number): Piece | undefined {
    const [before] = this.#found;
    if (block.place > this.#next)
      return { kind: "fault", place: this.#next, reason: `blocks are missing before place ${place}` };
    const isStray = block.place < this.#next || (before !== undefined && !isSameBatch(before, block));
    return isStray ? { kind: "fault", place, reason: "the block belongs to another batch" } : undefined;
  }

  #add(block: Block): Piece | undefined {
    this.#found.push(block);
    const { count } = block;
    const [first] = this.#found;
    if (first === undefined || this.#found.length < count) return undefined;
    const records = Buffer.concat(this.#found.map((one) => one.records));
    const batch: Piece = { kind: "batch", place: this.#next, blocks: count, first, records };
    this.#next += count;
    this.#found = [];
    return batch;
  }

  end(): Extract<Piece, { kind: "end" }> {
    const torn = this.#found.length * BLOCK_BYTES;
    return { kind: "end", place: this.#next, torn, bytes: this.#bytes, key: this.#key };
  }
}

const CHUNK_OF_ZEROS = Buffer.alloc(256 * 1024);

/**
 * Yields blocks, each with its index, from the block `first` on; the last block may be short. For a chunk of zeros it
 * yields only the last block, if `mayPass` returns true.
 */
function* readBlocks(
  chunks: Iterable<Uint8Array>,
  first: number,
  mayPass: () => boolean,
): Generator<[number, Buffer], void> {
  let held: Buffer = Buffer.alloc(0);
  let place = first;
  for (const chunk of chunks) {
    held = held.length === 0 ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length) : Buffer.concat([held, chunk]);
    if (mayPass() && CHUNK_OF_ZEROS.equals(held)) {
      place += held.length / BLOCK_BYTES - 1;
      held = held.subarray(-BLOCK_BYTES);
    }
    for (; held.length >= BLOCK_BYTES; place += 1) {
      yield [place, held.subarray(0, BLOCK_BYTES)];
      held = held.subarray(BLOCK_BYTES);
    }
  }
  if (held.length > 0) yield [place, held];
}
