// Reads JSON-RPC in lines, as MCP uses it over standard input and output. The input is untrusted, and is bounded before it is parsed.
// Lines that are not messages are skipped and reported, because some libraries print to standard output.

import type { Readable } from "node:stream";
import {
  findOddity,
  isList,
  isRecord,
  type Json,
  type JsonRecord,
  readTolerantly,
} from "../../../../lib/policy/index.ts";
import { type Result, refuse } from "../../../../lib/result/result.ts";
import { Shortener } from "./shorten.ts";

/** Maximum bytes of one line that is kept complete. In a longer line, long texts are cut, so that at most SHORTENED_BYTES of the line are kept. */
const WHOLE_BYTES = 512 * 1024;
const SHORTENED_BYTES = 384 * 1024;
/** Maximum bytes of one message including its pictures, and of a line that is not a message. A longer line ends the reading. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
const MAX_OTHER_BYTES = 1024 * 1024;
/**
 * Number of bytes that are kept from both ends of a line, because they show to which call an unreadable response
 * belongs.
 */
const END_BYTES = 256;
/** Number of bytes of an unreadable line that are shown to a person or a model. */
const EXCERPT_BYTES = 16 * 1024;

/** Message that arrived. */
interface Message {
  readonly message: JsonRecord;
  /** Whether long texts of the message were cut. */
  readonly isShortened: boolean;
}

/** A line that could not be read. */
export interface UnreadableLine {
  /** The request that the line answers, if the ends of the line show it. */
  readonly answers: { readonly id: number; readonly isError: boolean } | undefined;
  readonly reason: string;
  /** Beginning of the line. */
  readonly text: string;
}

interface Listener {
  readonly heed: (message: Message) => void;
  readonly skip: (line: UnreadableLine) => void;
  /** Called once with the reason that ends the reading. */
  readonly fail: (reason: string) => void;
}

/**
 * Calls `heed` with each message; a line contains one message, or a list of messages. Calls `skip` for a line that is
 * not JSON, and for each value that is not a message. Empty lines are ignored.
 */
export function readLines(stream: Readable, { heed, skip, fail }: Listener): void {
  let line = new Line();
  stream.on("data", (piece: Buffer) => {
    let rest = piece;
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      line.add(rest.subarray(0, end));
      rest = rest.subarray(end + 1);
      const whole = line;
      line = new Line();
      if (whole.isTooLong()) return giveUp(whole);
      tell(whole);
    }
    line.add(rest);
    if (line.isTooLong()) giveUp(line);
  });
  const giveUp = (tooLong: Line): void => {
    stream.removeAllListeners("data");
    stream.destroy();
    fail(`it writes a line above ${tooLong.getMaxBytes()} bytes`);
  };
  const tell = (whole: Line): void => {
    if (whole.isEmpty()) return;
    const read = whole.read();
    if (!read.ok) return void skip(whole.describeUnread(`it writes what is no JSON: ${read.reason}`));
    const messages = isList(read.value) ? read.value : [read.value];
    for (const message of messages) {
      const reason = isRecord(message) ? findOddity(message)?.reason : "it is no object";
      if (isRecord(message) && reason === undefined) heed({ message, isShortened: whole.isShortened() });
      else skip(whole.describeUnread(`it writes JSON that is no message: ${reason}`));
    }
  };
}

const BYTE_ORDER_MARK = "\ufeff";

/** The part of the line that has arrived so far. */
class Line {
  #pieces: Buffer[] = [];
  #size = 0;
  #shortener: Shortener | undefined;
  #start = Buffer.alloc(0);
  #end = Buffer.alloc(0);

  add(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#size += piece.length;
    if (this.#start.length < EXCERPT_BYTES) {
      this.#start = Buffer.concat([this.#start, piece.subarray(0, EXCERPT_BYTES - this.#start.length)]);
    }
    this.#end = Buffer.concat([this.#end, piece.subarray(-END_BYTES)]).subarray(-END_BYTES);
    if (this.#shortener !== undefined) this.#shortener.add(piece);
    else {
      this.#pieces.push(piece);
      if (this.#size > WHOLE_BYTES) this.#shorten();
    }
  }

  #shorten(): void {
    const shortener = new Shortener(SHORTENED_BYTES);
    for (const piece of this.#pieces.splice(0)) shortener.add(piece);
    this.#shortener = shortener;
  }

  isEmpty(): boolean {
    return this.#size <= EXCERPT_BYTES && decodeLine(this.#start).trim() === "";
  }

  isShortened(): boolean {
    return this.#shortener !== undefined;
  }

  /** Returns the maximum number of bytes that the line may have. */
  getMaxBytes(): number {
    return /^\s*[{[]/.test(decodeLine(this.#start)) ? MAX_MESSAGE_BYTES : MAX_OTHER_BYTES;
  }

  isTooLong(): boolean {
    return this.#size > MAX_OTHER_BYTES && this.#size > this.getMaxBytes();
  }

  read(): Result<Json> {
    const bytes = this.#shortener === undefined ? Buffer.concat(this.#pieces) : this.#shortener.getKeptText();
    if (bytes === undefined)
      return refuse(`${this.#size} bytes, of which more than ${SHORTENED_BYTES} are not in long texts`);
    // The bytes of the line are within WHOLE_BYTES. Decoding may make them three times as many: a byte that is not
    // UTF-8 becomes a replacement character of three bytes.
    return readTolerantly(decodeLine(bytes), 3 * WHOLE_BYTES);
  }

  describeUnread(reason: string): UnreadableLine {
    const text = decodeLine(this.#start);
    const more = this.#size - this.#start.length;
    return {
      answers: findAnswered(text.slice(0, END_BYTES), this.#end.toString("utf8")),
      reason,
      text: more > 0 ? `${text} [cut: ${more} more bytes]` : text,
    };
  }
}

function decodeLine(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

const VERSION = '"jsonrpc"\\s*:\\s*"2\\.0"\\s*,\\s*';
const ID = '"id"\\s*:\\s*(\\d{1,15})\\s*,\\s*';
const ANSWER = '"(result|error)"\\s*:';
const AT_START = new RegExp(`^\\s*\\{\\s*(?:${VERSION})?${ID}(?:${VERSION})?${ANSWER}`);
const BEFORE_ID = new RegExp(`^\\s*\\{\\s*(?:${VERSION})?${ANSWER}`);
const AT_END = /,\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d{1,15})\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;

/**
 * Returns the request that a line answers, according to the line's first or last members, where libraries write the id. Returns
 * `undefined` if these members do not show that the line is an answer.
 */
function findAnswered(start: string, end: string): UnreadableLine["answers"] {
  const first = AT_START.exec(start);
  if (first !== null) return { id: Number(first[1]), isError: first[2] === "error" };
  const [before, last] = [BEFORE_ID.exec(start), AT_END.exec(end)];
  if (before === null || last === null) return undefined;
  return { id: Number(last[1]), isError: before[1] === "error" };
}
