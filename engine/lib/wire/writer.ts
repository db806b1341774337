import { bug } from "../result/bug.ts";
import { FILE_LIMITS } from "./limits.ts";

/** Sizes of list elements, with the code of each size in a list pointer of Cap'n Proto. */
export const ELEMENTS = {
  void: 0,
  bit: 1,
  byte: 2,
  twoBytes: 3,
  fourBytes: 4,
  eightBytes: 5,
  pointer: 6,
  composite: 7,
};

/** Element size of scalars, by their number of bits. */
export const ELEMENTS_OF_BITS: Readonly<Record<1 | 8 | 16 | 32 | 64, number>> = {
  1: ELEMENTS.bit,
  8: ELEMENTS.byte,
  16: ELEMENTS.twoBytes,
  32: ELEMENTS.fourBytes,
  64: ELEMENTS.eightBytes,
};

/** Maximum number of elements of a list: the pointer has 29 bits for the count. */
export const MAX_ELEMENTS = 2 ** 29 - 1;

declare global {
  interface Buffer {
    /**
     * Writes UTF-8 like `write`, without its checks. Every version of Node.js has this method, but does not document it; `codec.test.ts` fails without it.
     */
    utf8Write(text: string, offset: number): number;
    /** Reads UTF-8 like `toString`, without its checks. */
    utf8Slice(this: Uint8Array, start: number, end: number): string;
  }
}

/** Size of the shared memory in bytes: large enough for a frame, a record and a decision. */
const SHARED_BYTES = 4096;

/** Throws if a value is nested deeper than the reader accepts. */
export function checkDepth(depth: number): void {
  if (depth > FILE_LIMITS.depth) bug(`a value nested more than ${FILE_LIMITS.depth} deep was given to the writer`);
}

/** A message of one segment, whose buffer grows. Everything is written once, in the order of the canonical form. */
export class Writer {
  /**
   * The shared writer, while no message uses it. Most messages are small and are copied out of shared memory; larger
   * ones get memory of their own.
   */
  static #idle: Writer | undefined;
  bytes: Buffer<ArrayBuffer> = Buffer.from(new ArrayBuffer(SHARED_BYTES));
  view: DataView = new DataView(this.bytes.buffer);
  /** View of the memory of `bytes`, without the checks of Node's Buffer class. */
  raw: Uint8Array<ArrayBuffer> = new Uint8Array(this.bytes.buffer);
  /** Number of bytes in use. */
  end = 0;

  /**
   * Returns an empty writer for one message; `takeForSending` and `finish` make it available for the next message,
   * unless it grew. A writer whose message was abandoned is not used again.
   */
  static takeShared(): Writer {
    const idle = Writer.#idle ?? new Writer();
    Writer.#idle = undefined;
    return idle;
  }

  /** Allocates this many words, all zero, and returns the offset of the first byte. */
  allocate(words: number): number {
    const at = this.end;
    this.end += words * 8;
    if (this.end > this.bytes.length) this.#grow(this.end);
    return at;
  }

  /** Reserves room for this many more bytes, without allocating them. Returns the offset at which the reserved bytes would begin. */
  reserve(bytes: number): number {
    if (this.end + bytes > this.bytes.length) this.#grow(this.end + bytes);
    return this.end;
  }

  /** Grows the buffer. `transfer` keeps the written bytes, fills the rest with zeros, and seldom has to copy. */
  #grow(least: number): void {
    this.bytes = Buffer.from(this.bytes.buffer.transfer(Math.max(this.bytes.length * 2, least)));
    this.view = new DataView(this.bytes.buffer);
    this.raw = new Uint8Array(this.bytes.buffer);
  }

  /** Allocates a struct and writes a pointer to it; returns the offset of its data. `depth` is the nesting depth of the struct. */
  openStruct(at: number, dataWords: number, pointers: number, depth: number): number {
    checkDepth(depth);
    const target = this.allocate(dataWords + pointers);
    this.writeStructPointer(at, target, dataWords, pointers);
    return target;
  }

  writeStructPointer(at: number, target: number, dataWords: number, pointers: number): void {
    this.view.setInt32(at, ((target - at - 8) >> 3) << 2, true);
    this.view.setUint16(at + 4, dataWords, true);
    this.view.setUint16(at + 6, pointers, true);
  }

  /** Writes a list pointer. `count` is the number of elements, or of words if the elements are structs. */
  listPointer(at: number, target: number, elements: number, count: number): void {
    if (count > MAX_ELEMENTS) bug(`a list of ${count} elements or words was given to the writer`);
    this.view.setInt32(at, (((target - at - 8) >> 3) << 2) | 1, true);
    this.view.setUint32(at + 4, ((count << 3) | elements) >>> 0, true);
  }

  /**
   * Returns the written bytes for sending. A small message is copied into memory that Node shares between small
   * buffers, and the writer can be used again.
   */
  takeForSending(): Buffer {
    if (this.bytes.length > SHARED_BYTES) return Buffer.from(this.bytes.buffer, 0, this.end);
    const written = Buffer.allocUnsafe(this.end);
    written.set(this.raw.subarray(0, this.end));
    this.#giveBack();
    return written;
  }

  #giveBack(): void {
    this.raw.fill(0, 0, this.end);
    this.end = 0;
    Writer.#idle = this;
  }

  /** Returns the written bytes in memory of their own; the caller must not use the writer afterwards. */
  finish(): Uint8Array {
    if (this.bytes.length > SHARED_BYTES) return new Uint8Array(this.bytes.buffer.transfer(this.end));
    const written = this.raw.slice(0, this.end);
    this.#giveBack();
    return written;
  }
}
