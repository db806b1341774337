// Reads fields of RFC 4251 in sequence. The reader never allocates by a length that the bytes claim: a field is a view.

const NOTHING = new Uint8Array(0);

/**
 * Reads fields in sequence. If a field needs more bytes than are left, this field and all later ones are empty, and
 * `complete` stays false.
 */
export class Fields {
  #rest: Buffer;
  #fits = true;

  constructor(bytes: Uint8Array) {
    this.#rest = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  readBytes(count: number): Uint8Array {
    this.#fits &&= count <= this.#rest.length;
    if (!this.#fits) return NOTHING;
    const field = this.#rest.subarray(0, count);
    this.#rest = this.#rest.subarray(count);
    return field;
  }

  readByte(): number {
    return this.readBytes(1)[0] ?? 0;
  }

  readUint32(): number {
    const field = this.readBytes(4);
    return field.length === 4 ? Buffer.from(field).readUInt32BE() : 0;
  }

  readString(): Uint8Array {
    return this.readBytes(this.readUint32());
  }

  /** Reads a name, which is ASCII. A byte that is not ASCII becomes a character that occurs in no valid name. */
  name(): string {
    return Buffer.from(this.readString()).toString("latin1");
  }

  /** Returns whether all fields fitted and no bytes are left. */
  get complete(): boolean {
    return this.#fits && this.#rest.length === 0;
  }
}

/** Returns a field in the form that `readString()` reads. */
export function encodeString(value: Uint8Array | string): Uint8Array {
  const bytes = typeof value === "string" ? Buffer.from(value, "latin1") : value;
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
