// Shortens a JSON text that is too long, while it arrives. The ends of long texts are dropped and counted, so that a
// picture of megabytes takes only the memory of its first part. This module does not validate the text; the reader of
// the result does.

import { countWholeBytes } from "../../../../lib/wire/utf8.ts";

/** Maximum bytes of one text in the JSON that are kept. */
const KEPT_BYTES = 32 * 1024;
/** Space after the kept bytes, for a character that is written as two escapes. */
const ESCAPE_ROOM = 12;
const [QUOTE, BACKSLASH] = [0x22, 0x5c];
/** The first half of a character whose second half was dropped. */
const HALF = /\\u[dD][89abAB][0-9a-fA-F]{2}$/;

/** Shortens one JSON text that arrives in pieces. */
export class Shortener {
  /** Buffer with the text kept so far; no text within it is longer than KEPT_BYTES. */
  readonly #kept: Buffer;
  /** Number of bytes in use; larger than the buffer if more bytes should have been kept. */
  #size = 0;
  #isInText = false;
  #isEscaped = false;
  #keptOfText = 0;
  #dropped = 0;

  /** Keeps at most `most` bytes. */
  constructor(most: number) {
    this.#kept = Buffer.allocUnsafe(most);
  }

  /** Returns the shortened text, or `undefined` if even the shortened text is longer than allowed. */
  getKeptText(): Buffer | undefined {
    return this.#size > this.#kept.length ? undefined : this.#kept.subarray(0, this.#size);
  }

  add(piece: Buffer): void {
    let at = 0;
    // Search for the next quotation mark, or the next backslash, only after the last one found was passed. If every
    // step searched for both, a piece with many escapes would be scanned once for each escape.
    let quote = indexFrom(piece, QUOTE, 0);
    let backslash = indexFrom(piece, BACKSLASH, 0);
    while (at < piece.length) {
      if (quote < at) quote = indexFrom(piece, QUOTE, at);
      if (!this.#isInText) {
        this.#keep(piece.subarray(at, quote + 1));
        if (quote < piece.length) this.#begin();
        at = quote + 1;
      } else if (this.#isEscaped) {
        this.#keepOrDrop(piece.subarray(at, at + 1), 0);
        this.#isEscaped = false;
        at += 1;
      } else {
        if (backslash < at) backslash = indexFrom(piece, BACKSLASH, at);
        const end = Math.min(quote, backslash);
        this.#keepOrDrop(piece.subarray(at, end), 0);
        at = end;
        if (end === piece.length) continue;
        this.#isEscaped = end === backslash;
        if (this.#isEscaped) this.#keepOrDrop(piece.subarray(at, at + 1), ESCAPE_ROOM);
        else this.#close();
        at += 1;
      }
    }
  }

  #begin(): void {
    [this.#isInText, this.#keptOfText, this.#dropped] = [true, 0, 0];
  }

  #close(): void {
    this.#isInText = false;
    const note = this.#dropped === 0 ? "" : ` [cut: ${this.#dropped} more bytes]`;
    this.#keep(Buffer.from(`${note}"`));
  }

  /** Keeps the bytes of a text that fit; after the first byte that does not fit, it drops and counts the rest. */
  #keepOrDrop(bytes: Buffer, room: number): void {
    const free = this.#dropped > 0 ? 0 : Math.max(0, KEPT_BYTES - room - this.#keptOfText);
    const kept = bytes.length <= free ? bytes.length : countWholeBytes(bytes, free);
    if (kept > 0) this.#keep(bytes.subarray(0, kept));
    this.#keptOfText += kept;
    if (kept < bytes.length && this.#dropped === 0) this.#dropHalf();
    this.#dropped += bytes.length - kept;
  }

  #dropHalf(): void {
    const tail = this.#kept.toString("latin1", Math.max(0, this.#size - 6), this.#size);
    if (!HALF.test(tail)) return;
    this.#size -= 6;
    this.#dropped += 6;
  }

  #keep(bytes: Buffer): void {
    const end = this.#size + bytes.length;
    // Once the shortened JSON exceeds the buffer, keep nothing more of it. The size becomes infinite, so that
    // `#dropHalf` cannot bring it below the limit again.
    if (end <= this.#kept.length) bytes.copy(this.#kept, this.#size);
    this.#size = end <= this.#kept.length ? end : Number.POSITIVE_INFINITY;
  }
}

function indexFrom(piece: Buffer, byte: number, at: number): number {
  const found = piece.indexOf(byte, at);
  return found < 0 ? piece.length : found;
}
