// Splits bytes into lines, however they are cut on the way. Lines end with a line feed, optionally after a carriage return.

import { accept, type Result, refuse } from "../../../lib/result/result.ts";

const LINE_FEED = 10;

export class Lines {
  readonly #most: number;
  #parts: Uint8Array[] = [];
  #size = 0;

  /** `most` is the maximum number of bytes of one line. */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Returns the lines that end in these bytes, and keeps the beginning of an unfinished line for the next call. Fails
   * if a line is too long or not UTF-8.
   */
  take(bytes: Uint8Array): Result<readonly string[]> {
    const lines: string[] = [];
    let from = 0;
    for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, from)) {
      const line = this.#finishLine(bytes.subarray(from, at));
      if (!line.ok) return line;
      lines.push(line.value);
      from = at + 1;
    }
    const kept = this.#keep(bytes.subarray(from));
    return kept.ok ? accept(lines) : kept;
  }

  /** Returns the text after the last line feed, which may be empty. */
  takeRest(): Result<string> {
    return this.#finishLine(new Uint8Array());
  }

  #keep(part: Uint8Array): Result<undefined> {
    this.#size += part.length;
    if (this.#size > this.#most) return refuse(`it sends a line of more than ${this.#most} bytes`);
    // Copy the part: a view would keep the whole buffer alive.
    if (part.length > 0) this.#parts.push(Uint8Array.from(part));
    return accept(undefined);
  }

  #finishLine(part: Uint8Array): Result<string> {
    const kept = this.#keep(part);
    if (!kept.ok) return kept;
    const whole = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#size = 0;
    const text = decodeText(whole);
    return text === undefined ? refuse("it sends what is no text in UTF-8") : accept(text.replace(/\r$/, ""));
  }
}

function decodeText(bytes: Uint8Array): string | undefined {
  try {
    // The decoder drops a byte order mark at the beginning, as both dialects allow.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
