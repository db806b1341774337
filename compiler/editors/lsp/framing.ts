// The frames of the protocol, before anybody keeps a byte of them: a header that has no end, or no length, ends the stream,
// for nobody knows where the next one begins; a message that is too long is passed over as it comes in.

import { Transform, type TransformCallback } from "node:stream";
import { accept, type Result, refuse } from "../../../engine/lib/result/result.ts";

/** A header has two lines; this is room for what others may put there. */
const MOST_HEADER = 4096;
/** In bytes. A page of a mebibyte, with each sign of it escaped, is six times as long as itself. */
export const MOST_MESSAGE = 16 * 1024 * 1024;

const NONE = Buffer.alloc(0);
const END = Buffer.from("\r\n\r\n");

/** Gives the same messages again, each below a header of one line that says its length. */
export class Framing extends Transform {
  private readonly passedOver: (reason: string) => void;
  /** What is there of a header; nothing within a message. */
  private header: Buffer | undefined = NONE;
  /** Bytes of the message that are still to come. */
  private left = 0;
  private isKept = true;
  private reason: string | undefined;

  /** `passedOver`: told of each message that is not read. */
  constructor(passedOver: (reason: string) => void) {
    super();
    this.passedOver = passedOver;
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

  /** Why it cannot be read on, where it ended before its bytes did. */
  get broken(): string | undefined {
    return this.reason;
  }

  /** Takes a message or a header from the bytes, and returns the rest. Refuses what is no header. */
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
    this.isKept = length > 0 && length <= MOST_MESSAGE;
    if (this.isKept) this.push(`Content-Length: ${length}\r\n\r\n`);
    else this.passedOver(`a message of ${length} bytes is not read: ${MOST_MESSAGE} are the most`);
    this.left = length;
    this.header = length === 0 ? NONE : undefined;
    return accept(bytes.subarray(end + END.length));
  }
}

/** Of a header; nothing where it says none, or two. */
function parseLength(header: string): number | undefined {
  const said = header.split("\r\n").flatMap((line) => /^content-length:[ \t]*(\d{1,15})[ \t]*$/i.exec(line)?.[1] ?? []);
  const lines = header.split("\r\n").filter((line) => /^content-length\b/i.test(line));
  const [length] = said;
  return said.length === 1 && lines.length === 1 ? Number(length) : undefined;
}
