// Reads numbers and texts of an untrusted file in sequence. The first fault ends the reading.

/** Thrown by a cursor, and caught by the reader of the whole header; no other code sees it. */
export class MalformedHeaderError extends Error {}

/** Returns the next multiple of `alignment`. */
export const padSize = (size: number, alignment: number): number => Math.ceil(size / alignment) * alignment;

const UTF8 = new TextDecoder("utf-8", { fatal: true });

/** Reads little-endian numbers, as GGUF files store them. Never reads past the end of its bytes. */
export class Cursor {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get at(): number {
    return this.#at;
  }

  skip(length: number): void {
    this.#take(length);
  }

  u8 = (): number => this.#view.getUint8(this.#take(1));
  u16 = (): number => this.#view.getUint16(this.#take(2), true);
  u32 = (): number => this.#view.getUint32(this.#take(4), true);
  i32 = (): number => this.#view.getInt32(this.#take(4), true);

  /** Reads a count, a length or an offset; valid files have none above 2^53. */
  readSize(what: string): number {
    const value = this.#view.getBigUint64(this.#take(8), true);
    return value <= Number.MAX_SAFE_INTEGER ? Number(value) : this.fail(`${what} of ${value}`);
  }

  /** Returns the bytes of a text, without a check that they are UTF-8. */
  readTextBytes(what: string, most: number): Uint8Array {
    const length = this.readSize(`a length of ${what}`);
    if (length > most) this.fail(`${what} has ${length} bytes, the limit is ${most}`);
    const start = this.#take(length);
    return this.#bytes.subarray(start, start + length);
  }

  readText(what: string, most: number): string {
    const bytes = this.readTextBytes(what, most);
    try {
      return UTF8.decode(bytes);
    } catch {
      return this.fail(`${what} is not UTF-8`);
    }
  }

  fail(reason: string): never {
    throw new MalformedHeaderError(reason);
  }

  #take(length: number): number {
    const start = this.#at;
    if (length > this.#bytes.length - start) this.fail("the header ends in its middle");
    this.#at = start + length;
    return start;
  }
}
