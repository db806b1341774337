// Cursors of readers. A reader must not learn from the numbers of its events how many events it may not see, so its position is an
// encrypted sequence number.

import { createCipheriv, createDecipheriv, createHash } from "node:crypto";

const BLOCK_BYTES = 16;
const TAG_BYTES = 8;
/**
 * Cipher of cursors. A cursor is one encrypted block: the sequence number, and a secret tag of its reader. A cursor is
 * genuine if it has this tag after decryption.
 */
const CIPHER = "aes-128-ecb";

/** Makes and reads the cursors of one reader. */
export class Cursors {
  readonly #key: Uint8Array;
  readonly #tag: Uint8Array;

  /** `key`: the ledger's secret of at least 16 bytes; `reader`: a name that is unique to the reader's rights. */
  constructor(key: Uint8Array, reader: string) {
    const derive = (use: string) => createHash("sha256").update(key).update(`\0${use}\0${reader}`).digest();
    this.#key = derive("key").subarray(0, BLOCK_BYTES);
    this.#tag = derive("tag").subarray(0, TAG_BYTES);
  }

  make(sequence: bigint): Uint8Array {
    const block = Buffer.alloc(BLOCK_BYTES);
    block.writeBigUInt64BE(sequence);
    block.set(this.#tag, BLOCK_BYTES - TAG_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, null).setAutoPadding(false);
    return Buffer.concat([cipher.update(block), cipher.final()]);
  }

  /** Returns the sequence number of a cursor, or `undefined` for other bytes. An empty cursor stands for the beginning, which has number 0. */
  read(cursor: Uint8Array): bigint | undefined {
    if (cursor.length === 0) return 0n;
    if (cursor.length !== BLOCK_BYTES) return undefined;
    const decipher = createDecipheriv(CIPHER, this.#key, null).setAutoPadding(false);
    const block = Buffer.concat([decipher.update(cursor), decipher.final()]);
    return this.#tag.every((byte, index) => block[BLOCK_BYTES - TAG_BYTES + index] === byte)
      ? block.readBigUInt64BE()
      : undefined;
  }
}
