import { KINDS, type Kind } from "./vocabulary.ts";

/**
 * The tokens of a source, in order. They are stored as arrays of codes and offsets, because creating a million objects would
 * take a second.
 */
export class Tokens {
  count = 0;
  /** Index into `KINDS`. */
  codes: Uint8Array;
  starts: Int32Array;
  ends: Int32Array;

  /** `expected` is an estimate of the number of tokens. The arrays begin with this length, and so rarely grow. */
  constructor(expected: number) {
    this.codes = new Uint8Array(expected);
    this.starts = new Int32Array(expected);
    this.ends = new Int32Array(expected);
  }

  push(code: number, start: number, end: number): void {
    if (this.count === this.codes.length) this.grow();
    this.codes[this.count] = code;
    this.starts[this.count] = start;
    this.ends[this.count] = end;
    this.count++;
  }

  getKind(index: number): Kind {
    return index < this.count ? (KINDS[this.codes[index] ?? 0] ?? "End") : "End";
  }

  start(index: number): number {
    return this.starts[index] ?? 0;
  }

  end(index: number): number {
    return this.ends[index] ?? 0;
  }

  private grow(): void {
    const length = this.codes.length * 2 + 16;
    const { codes, starts, ends } = this;
    this.codes = new Uint8Array(length);
    this.starts = new Int32Array(length);
    this.ends = new Int32Array(length);
    this.codes.set(codes);
    this.starts.set(starts);
    this.ends.set(ends);
  }
}
