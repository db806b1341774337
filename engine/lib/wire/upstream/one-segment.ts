import { type Result, refuse } from "../../result/result.ts";

/** Maximum number of segments of a message; Rust's crate accepts as many. */
const MOST_SEGMENTS = 512;
const WORD = 8;

/** Range of a segment, in words of the merged message. */
interface Segment {
  readonly start: number;
  readonly end: number;
}

interface Pointer {
  /** Offset of the pointer, in words of the merged message. */
  readonly at: number;
  readonly segment: Segment;
}

/**
 * Returns the message with all its segments merged into one, after a stream header; a message of one segment stays
 * unchanged. Fails for a message that is malformed or has more than `most` bytes.
 */
export function mergeSegments(bytes: Uint8Array, most: number): Result<Uint8Array> {
  if (bytes.length > most) return refuse(`${bytes.length} bytes are more than ${most}`);
  if (bytes.length < WORD) return refuse(`${bytes.length} bytes are too few for a header`);
  const header = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const count = header.getUint32(0, true) + 1;
  if (count === 1) return { ok: true, value: bytes };
  if (count > MOST_SEGMENTS) return refuse(`${count} segments are more than ${MOST_SEGMENTS}`);
  const start = WORD * Math.ceil((count + 1) / 2);
  if (bytes.length < start) return refuse("the list of segments is cut off");
  const segments = locateSegments(Array.from({ length: count }, (_, index) => header.getUint32(4 + 4 * index, true)));
  const words = segments.at(-1)?.end ?? 0;
  if (words * WORD !== bytes.length - start)
    return refuse(`the header claims ${words} words; ${bytes.length - start} bytes follow`);
  const joined = new Uint8Array(WORD + words * WORD);
  joined.set(bytes.subarray(start), WORD);
  const view = new DataView(joined.buffer);
  view.setUint32(4, words, true);
  const reason = new Joining(new DataView(joined.buffer, WORD), segments).join();
  return reason === undefined ? { ok: true, value: joined } : refuse(reason);
}

function locateSegments(sizes: readonly number[]): Segment[] {
  let start = 0;
  return sizes.map((size) => {
    const segment = { start, end: start + size };
    start = segment.end;
    return segment;
  });
}

const [STRUCT, LIST, FAR] = [0, 1, 2];
const [POINTERS, COMPOSITE] = [6, 7];

/** Visits every pointer that can be reached from the root, and replaces each far pointer by a plain one. */
class Joining {
  readonly #view: DataView;
  readonly #segments: readonly Segment[];
  readonly #left: Pointer[] = [];
  #budget: number;

  constructor(view: DataView, segments: readonly Segment[]) {
    this.#view = view;
    this.#segments = segments;
    this.#budget = segments.at(-1)?.end ?? 0;
  }

  /** Joins the segments. Returns the reason if they cannot be joined, otherwise `undefined`. */
  join(): string | undefined {
    const [first] = this.#segments;
    if (first === undefined || first.start === first.end) return "there is no root";
    this.#left.push({ at: 0, segment: first });
    for (let next = this.#left.pop(); next !== undefined; next = this.#left.pop()) {
      const reason = this.#follow(next);
      if (reason !== undefined) return reason;
    }
    return undefined;
  }

  #readLow(at: number): number {
    return this.#view.getUint32(at * WORD, true);
  }

  #readHigh(at: number): number {
    return this.#view.getUint32(at * WORD + 4, true);
  }

  #follow({ at, segment }: Pointer): string | undefined {
    const low = this.#readLow(at);
    const high = this.#readHigh(at);
    if (low === 0 && high === 0) return undefined;
    const kind = low & 3;
    if (kind === FAR) return this.#followFar(at, low, high);
    if (kind !== STRUCT && kind !== LIST) return undefined;
    return this.#checkObject(kind, high, at + 1 + (low >> 2), segment);
  }

  /** Merges a far pointer and its landing pad into one plain pointer. */
  #followFar(at: number, low: number, high: number): string | undefined {
    const pads = (low & 4) === 0 ? 1 : 2;
    const pad = this.#place(high, low >>> 3, pads);
    if (pad === undefined) return "a far pointer leads out of its segment";
    const tagAt = pad.at + pads - 1;
    const kind = this.#readLow(tagAt) & 3;
    if (kind !== STRUCT && kind !== LIST) return "a far pointer leads to no plain one";
    const tag = this.#readHigh(tagAt);
    const target =
      pads === 1
        ? { at: pad.at + 1 + (this.#readLow(pad.at) >> 2), segment: pad.segment }
        : this.#resolveLandingPad(pad.at);
    if (target === undefined) return "a far pointer leads out of its segment";
    this.#view.setInt32(at * WORD, ((target.at - at - 1) << 2) | kind, true);
    this.#view.setUint32(at * WORD + 4, tag, true);
    return this.#checkObject(kind, tag, target.at, target.segment);
  }

  #resolveLandingPad(pad: number): Pointer | undefined {
    return (this.#readLow(pad) & 7) === FAR ? this.#place(this.#readHigh(pad), this.#readLow(pad) >>> 3, 0) : undefined;
  }

  #place(index: number, offset: number, words: number): Pointer | undefined {
    const segment = this.#segments[index];
    if (segment === undefined || segment.start + offset + words > segment.end) return undefined;
    return { at: segment.start + offset, segment };
  }

  #checkObject(kind: number, high: number, target: number, segment: Segment): string | undefined {
    if (kind === STRUCT) return this.#checkStruct(target, high & 0xffff, high >>> 16, segment);
    const element = high & 7;
    const count = high >>> 3;
    if (element === POINTERS) return this.#checkPointers(target, count, segment);
    if (element !== COMPOSITE) return undefined;
    if (target < segment.start || target >= segment.end) return "a list leads out of its segment";
    const [many, data, pointers] = [
      this.#readLow(target) >>> 2,
      this.#readHigh(target) & 0xffff,
      this.#readHigh(target) >>> 16,
    ];
    if (many * (data + pointers) > count) return "a list claims more elements than words";
    if (pointers === 0) return undefined;
    for (let index = 0; index < many; index++) {
      const reason = this.#checkStruct(target + 1 + index * (data + pointers), data, pointers, segment);
      if (reason !== undefined) return reason;
    }
    return undefined;
  }

  #checkStruct(target: number, data: number, pointers: number, segment: Segment): string | undefined {
    return this.#checkPointers(target + data, pointers, segment);
  }

  /** Checks the pointers of a section. Each word of the message is read at most once. */
  #checkPointers(from: number, count: number, segment: Segment): string | undefined {
    if (count === 0) return undefined;
    if (from < segment.start || from + count > segment.end) return "a pointer leads out of its segment";
    this.#budget -= count;
    if (this.#budget < 0) return "pointers are read twice";
    for (let index = count - 1; index >= 0; index--) this.#left.push({ at: from + index, segment });
    return undefined;
  }
}
