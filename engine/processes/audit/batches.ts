// Splits a partition into batches, and checks the blocks after the last complete batch. A power cut may leave any
// subset of the blocks of one unacknowledged batch, and zeros. Anything else is a fault.

import { refuse } from "../../lib/result/result.ts";
import { BLOCK_BYTES, type Block, isBlank, isSameBatch, readBlock } from "./block.ts";
import { isKeyBlock, parseKeyBlock, type SealingKey } from "./key-block.ts";

export type Piece =
  | {
      readonly kind: "batch";
      /** Index of the batch's first block in the partition. */
      readonly place: number;
      readonly blocks: number;
      readonly first: Block;
      readonly records: Uint8Array;
    }
  /**
   * The last piece of a partition without a fault: the place of the next batch, and the bytes of a torn batch after it.
   * `key` is absent if the last block does not contain a key.
   */
  | {
      readonly kind: "end";
      readonly place: number;
      readonly torn: number;
      readonly bytes: number;
      readonly key: SealingKey | undefined;
    }
  /** The last piece: the bytes from here on have no valid form. */
  | { readonly kind: "fault"; readonly place: number; readonly reason: string };

/** Reads the chunks of a partition one by one, with at most one batch and one chunk in memory. */
export function* readPieces(chunks: Iterable<Uint8Array>): Generator<Piece, void> {
  const cutter = new Cutter();
  for (const [place, bytes] of readBlocks(chunks, () => cutter.isBetween)) {
    const piece = cutter.take(place, bytes);
    if (piece !== undefined) yield piece;
    if (piece?.kind === "fault") return;
  }
  yield cutter.end();
}

class Cutter {
  /** Index of the block at which the next batch must begin. */
  #next = 0;
  /** Blocks of the next batch that were found so far. */
  #found: Block[] = [];
  #bytes = 0;
  #key: SealingKey | undefined;

  /** Returns whether no batch has begun: a chunk of zeros may then be skipped. */
  get isBetween(): boolean {
    return this.#found.length === 0;
  }

  take(place: number, bytes: Buffer): Piece | undefined {
    this.#bytes = (place + 1) * BLOCK_BYTES;
    if (this.#key !== undefined) return { kind: "fault", place, reason: "the key stands before the end" };
    if (isBlank(bytes)) return undefined;
    if (isKeyBlock(bytes)) return this.#takeKey(place, bytes);
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

  end(): Piece {
    const torn = this.#found.length * BLOCK_BYTES;
    return { kind: "end", place: this.#next, torn, bytes: this.#bytes, key: this.#key };
  }
}

const CHUNK_OF_ZEROS = Buffer.alloc(256 * 1024);

/** Yields blocks with their places; the last may be short. For a chunk of zeros it yields only the last block, if `mayPass` allows that. */
function* readBlocks(chunks: Iterable<Uint8Array>, mayPass: () => boolean): Generator<[number, Buffer], void> {
  let held: Buffer = Buffer.alloc(0);
  let place = 0;
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
