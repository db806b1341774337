import { bug } from "./bug.ts";

/** How the elements of a list are laid out, by the number that stands in the pointer. */
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

/** The number for scalars of so many bits. */
export const ELEMENTS_OF_BITS: Readonly<Record<1 | 8 | 16 | 32 | 64, number>> = {
  1: ELEMENTS.bit,
  8: ELEMENTS.byte,
  16: ELEMENTS.twoBytes,
  32: ELEMENTS.fourBytes,
  64: ELEMENTS.eightBytes,
};

/** Lists have at most so many elements: the pointer has 29 bits for it. */
export const MAX_ELEMENTS = 2 ** 29 - 1;

/** One segment that grows. Everything is written once, in the order in which the canonical form wants it. */
export class Writer {
  bytes: Buffer<ArrayBuffer> = Buffer.from(new ArrayBuffer(1024));
  view: DataView = new DataView(this.bytes.buffer);
  /** Bytes in use. */
  end = 0;

  /** Room for so many words, all zero; returns the byte where it begins. */
  allocate(words: number): number {
    const at = this.end;
    this.end += words * 8;
    if (this.end > this.bytes.length) this.#grow();
    return at;
  }

  /** Gives back what was allocated last, from its first byte, as if it had never been. */
  takeBack(at: number): void {
    this.bytes.fill(0, at, this.end);
    this.end = at;
  }

  /** The engine keeps what is written, fills the rest with zeros and seldom has to copy. */
  #grow(): void {
    this.bytes = Buffer.from(this.bytes.buffer.transfer(Math.max(this.bytes.length * 2, this.end)));
    this.view = new DataView(this.bytes.buffer);
  }

  structPointer(at: number, target: number, dataWords: number, pointers: number): void {
    this.view.setInt32(at, ((target - at - 8) >> 3) << 2, true);
    this.view.setUint16(at + 4, dataWords, true);
    this.view.setUint16(at + 6, pointers, true);
  }

  /** `count` is the number of elements, or of words where the elements are structs. */
  listPointer(at: number, target: number, elements: number, count: number): void {
    if (count > MAX_ELEMENTS) bug(`a list of ${count} elements or words was given to the writer`);
    this.view.setInt32(at, (((target - at - 8) >> 3) << 2) | 1, true);
    this.view.setUint32(at + 4, ((count << 3) | elements) >>> 0, true);
  }

  /** What was written, in memory of its own; nothing can be written afterwards. */
  finished(): Uint8Array {
    return new Uint8Array(this.bytes.buffer.transfer(this.end));
  }
}
