// Follows pointers of an unchecked message. The first fault is stored as the reason; after that every pointer is read as null, so
// that reading ends at once without an exception.

import { type Limits, MAX_VALUES } from "./limits.ts";
import { ELEMENTS } from "./writer.ts";

/** Sections of a struct: the bytes at which they begin, and their sizes in words. */
export interface Sections {
  readonly data: number;
  readonly dataWords: number;
  readonly pointers: number;
  readonly pointerCount: number;
}

/**
 * Elements of a list. In a list of structs, `dataWords` and `pointerCount` are the sizes of one struct, and `count`
 * is the number of structs.
 */
interface Elements {
  readonly at: number;
  readonly count: number;
  readonly dataWords: number;
  readonly pointerCount: number;
}

const NOTHING: Sections = { data: 0, dataWords: 0, pointers: 0, pointerCount: 0 };

export class Reader {
  readonly view: DataView;
  readonly bytes: Uint8Array;
  readonly #limits: Limits;
  /** Number of words that may still be read; a valid message is a tree, in which each word is read once. */
  #words: number;
  #emptyElements: number;
  #values: number;
  refused: string | undefined;
  /** Whether a struct is refused if it has data that no field of its layout describes. */
  readonly isStrict: boolean;
  /** Length in bytes of the last result of `locateBytes`. */
  length = 0;
  #raw: Uint8Array | undefined;

  constructor(bytes: Uint8Array, limits: Limits) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#limits = limits;
    this.#words = bytes.length / 8 - 1;
    this.#emptyElements = limits.emptyElements;
    this.#values = limits.values ?? MAX_VALUES;
    this.isStrict = limits.strangers === "refused";
  }

  /** Returns a copy of bytes of the message, because its memory may be reused later. */
  copyBytes(begin: number, length: number): Uint8Array {
    const { buffer, byteOffset, byteLength } = this.view;
    this.#raw ??= new Uint8Array(buffer, byteOffset, byteLength);
    return this.#raw.slice(begin, begin + length);
  }

  /** Refuses the message; if it was refused before, the first reason is kept. */
  refuse(reason: string): undefined {
    this.refused ??= reason;
    return undefined;
  }

  /** Returns whether `values` more values may be created. Callers must call this method before they create the values. */
  affords(values: number): boolean {
    this.#values -= values;
    if (this.#values >= 0) return true;
    this.refuse("the message holds more values than are taken");
    return false;
  }

  /** Returns the sections of the struct behind a pointer; `undefined` if the pointer is null or wrong. */
  struct(at: number, depth: number): Sections | undefined {
    if (this.#isNull(at, depth)) return undefined;
    const low = this.view.getInt32(at, true);
    if ((low & 3) !== 0) return this.refuse(this.#describeWrongKind(low & 3, "a struct"));
    const dataWords = this.view.getUint16(at + 4, true);
    const pointerCount = this.view.getUint16(at + 6, true);
    // The position of an empty struct does not matter, because nothing is read there; its pointer may even lead to
    // itself.
    if (dataWords + pointerCount === 0) return NOTHING;
    const data = this.#visit(at, low, dataWords + pointerCount);
    return data === undefined ? undefined : { data, dataWords, pointers: data + dataWords * 8, pointerCount };
  }

  /**
   * Returns the elements of a list whose element size is exactly `elements`; `undefined` if the pointer is null or wrong. `elements`
   * must not be `composite`.
   */
  list(at: number, depth: number, elements: number, bits: number): Elements | undefined {
    if (this.#isNull(at, depth)) return undefined;
    const low = this.view.getInt32(at, true);
    const high = this.view.getUint32(at + 4, true);
    if ((low & 3) !== 1) return this.refuse(this.#describeWrongKind(low & 3, "a list"));
    if ((high & 7) !== elements) return this.refuse(`a list has elements of layout ${high & 7} instead of ${elements}`);
    const count = high >>> 3;
    const begin = this.#visit(at, low, Math.ceil((count * bits) / 64));
    if (begin === undefined || (bits === 0 && !this.#spendEmpty(count))) return undefined;
    return { at: begin, count, dataWords: 0, pointerCount: 0 };
  }

  /**
   * Returns the offset of the bytes behind a pointer, and sets `length`; -1 if the pointer is null or wrong. This method does
   * the same as `list` for a list of bytes, which is the most common target, but creates no object.
   */
  locateBytes(at: number, depth: number): number {
    const { view } = this;
    const low = view.getInt32(at, true);
    const high = view.getUint32(at + 4, true);
    if ((low | high) === 0 || this.refused !== undefined) return -1;
    if (depth > this.#limits.depth || (low & 3) !== 1 || (high & 7) !== ELEMENTS.byte) {
      this.list(at, depth, ELEMENTS.byte, 8);
      return -1;
    }
    const length = high >>> 3;
    const begin = this.#visit(at, low, (length + 7) >>> 3);
    this.length = length;
    return begin ?? -1;
  }

  /** Returns the elements of a list of structs; `undefined` if the pointer is null or wrong. */
  structs(at: number, depth: number): Elements | undefined {
    if (this.#isNull(at, depth)) return undefined;
    const low = this.view.getInt32(at, true);
    const high = this.view.getUint32(at + 4, true);
    if ((low & 3) !== 1) return this.refuse(this.#describeWrongKind(low & 3, "a list"));
    if ((high & 7) !== ELEMENTS.composite) return this.refuse("a list of structs has elements of another layout");
    const words = high >>> 3;
    const tag = this.#visit(at, low, words + 1);
    if (tag === undefined) return undefined;
    return this.#readTagged(tag, words);
  }

  #readTagged(tag: number, words: number): Elements | undefined {
    const low = this.view.getUint32(tag, true);
    if ((low & 3) !== 0) return this.refuse("a list of structs begins with a tag that is not one of a struct");
    const count = low >>> 2;
    const dataWords = this.view.getUint16(tag + 4, true);
    const pointerCount = this.view.getUint16(tag + 6, true);
    const stride = dataWords + pointerCount;
    if (count * stride > words) return this.refuse("a list of structs is longer than the words it claims");
    if (stride === 0 && !this.#spendEmpty(count)) return undefined;
    return { at: tag + 8, count, dataWords, pointerCount };
  }

  #isNull(at: number, depth: number): boolean {
    if (this.refused !== undefined) return true;
    if (this.view.getInt32(at, true) === 0 && this.view.getInt32(at + 4, true) === 0) return true;
    if (depth <= this.#limits.depth) return false;
    this.refuse(`values are nested more than ${this.#limits.depth} deep`);
    return true;
  }

  #describeWrongKind(kind: number, wanted: string): string {
    const found = ["a struct", "a list", "a pointer to another segment", "a capability"][kind];
    return `there is ${found} where ${wanted} belongs`;
  }

  /** Returns the offset of the target; refuses a target outside the message, or more words than `#words` allows. */
  #visit(at: number, low: number, words: number): number | undefined {
    const target = at + 8 + (low >> 2) * 8;
    if (target < 0 || target + words * 8 > this.bytes.length) return this.refuse("a pointer leads out of the message");
    this.#words -= words;
    return this.#words < 0 ? this.refuse("pointers overlap: some words would be read more than once") : target;
  }

  #spendEmpty(count: number): boolean {
    this.#emptyElements -= count;
    if (this.#emptyElements >= 0) return true;
    this.refuse(`lists claim more than ${this.#limits.emptyElements} elements of no size`);
    return false;
  }
}
