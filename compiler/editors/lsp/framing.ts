// Checks the frames of the protocol before any byte is stored. A header without an end or a length ends the stream,
// because the start of the next message is unknown. A message that is too long is skipped as it arrives.

import { Transform, type TransformCallback } from "node:stream";
import { accept, type Result, refuse } from "../../../engine/lib/result/result.ts";

/** Maximum size of a header in bytes. The protocol defines only two lines; other programs may add fields. */
const MOST_HEADER = 4096;
/**
 * Maximum size of a message in bytes. A page of one MiB needs six times as much in a message if every character is
 * escaped.
 */
export const MOST_MESSAGE = 16 * 1024 * 1024;
/**
 * Maximum size in bytes of a message that is skipped because it is too long. A still longer message ends the stream
 * instead of being skipped, because all later messages would have to wait for its end.
 */
export const MOST_SKIPPED = 1024 * 1024 * 1024;

const NONE = Buffer.alloc(0);
const END = Buffer.from("\r\n\r\n");

/**
 * Functions that are called with the reason if a message is skipped. Two cases are distinct, because a message that is
 * too long may contain a newer text of a page, and a malformed message does not.
 */
export interface Skipped {
  readonly tooLong: (reason: string) => void;
  readonly malformed: (reason: string) => void;
}

/** Passes messages on, each with a header of one line that states its length. */
export class Framing extends Transform {
  private readonly skipped: Skipped;
  /** Bytes of the header that arrived so far; `undefined` while a message arrives. */
  private header: Buffer | undefined = NONE;
  /** Number of bytes of the current message that are still missing. */
  private left = 0;
  private isKept = true;
  private reason: string | undefined;

  constructor(skipped: Skipped) {
    super();
    this.skipped = skipped;
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    let rest: Result<Buffer> = accept(this.reason === undefined ? chunk : NONE);
    while (rest.ok && rest.value.length > 0) rest = this.takePart(rest.value);
    if (!rest.ok) {
      this.reason = rest.reason;
      this.push(null);
    }
    done();
  }

  /** Returns the reason why the stream cannot be read further, if it ended early; otherwise `undefined`. */
  get broken(): string | undefined {
    return this.reason;
  }

  /** Takes a message or a header from the bytes, and returns the rest. Fails if a header is malformed or too long. */
  private takePart(bytes: Buffer): Result<Buffer> {
    if (this.header === undefined) return accept(this.takeMessage(bytes));
    return this.beginMessage(this.header.length === 0 ? bytes : Buffer.concat([this.header, bytes]));
  }

  private takeMessage(bytes: Buffer): Buffer {
    const here = bytes.subarray(0, this.left);
    if (this.isKept) this.push(here);
    this.left -= here.length;
    if (this.left === 0) this.header = NONE;
    return bytes.subarray(here.length);
  }

  private beginMessage(bytes: Buffer): Result<Buffer> {
    const end = bytes.indexOf(END);
    if ((end < 0 ? bytes.length : end) > MOST_HEADER) return refuse(`a header of more than ${MOST_HEADER} bytes`);
    this.header = bytes;
    if (end < 0) return accept(NONE);
    const length = parseLength(bytes.toString("latin1", 0, end));
    if (length === undefined) return refuse("a header that says no length");
    if (length > MOST_SKIPPED) return refuse(`a message of ${length} bytes, more than ${MOST_MESSAGE}`);
    this.isKept = length > 0 && length <= MOST_MESSAGE;
    if (this.isKept) this.push(`Content-Length: ${length}\r\n\r\n`);
    else if (length === 0) this.skipped.malformed("an empty message is not read");
    else this.skipped.tooLong(`a message of ${length} bytes is not read: ${MOST_MESSAGE} are the most`);
    this.left = length;
    this.header = length === 0 ? NONE : undefined;
    return accept(bytes.subarray(end + END.length));
  }
}

/** Returns the length in bytes that a header states, or `undefined` if it states none or several. */
function parseLength(header: string): number | undefined {
  const said = header.split("\r\n").flatMap((line) => /^content-length:[ \t]*(\d{1,15})[ \t]*$/i.exec(line)?.[1] ?? []);
  const lines = header.split("\r\n").filter((line) => /^content-length\b/i.test(line));
  const [length] = said;
  return said.length === 1 && lines.length === 1 ? Number(length) : undefined;
}
