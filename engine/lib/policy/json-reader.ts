// Reads JSON that a model wrote. JSON.parse is not used: it keeps the last of two equal keys, rounds large integers
// and gives `__proto__` a meaning, so that two readers could see different arguments in one text.
import { accept, type Result, refuse } from "../result/result.ts";

export type Json = null | boolean | number | string | readonly Json[] | JsonRecord;
/** The record inherits no names, so it contains only the names in the text. */
export interface JsonRecord {
  readonly [name: string]: Json;
}

/**
 * Maximum bytes of a JSON text, in UTF-8. This is half of the largest frame, so that a call with escaped characters
 * always fits into a frame.
 */
export const MAX_JSON_BYTES = 512 * 1024;
export const MAX_JSON_DEPTH = 32;

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids exactly these characters inside a string
const PLAIN = /[^"\\\u0000-\u001f]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters, backslashes and surrogates need more work
const SPECIAL = /[\\\u0000-\u001f\ud800-\udfff]/;
/** Characters as codes: comparing numbers is faster than cutting texts of one character. */
const MARK = {
  quote: 0x22,
  comma: 0x2c,
  colon: 0x3a,
  openList: 0x5b,
  closeList: 0x5d,
  openRecord: 0x7b,
  closeRecord: 0x7d,
  t: 0x74,
  f: 0x66,
  n: 0x6e,
} as const;

/** Matches the tokens between brackets and texts, in parts that are skipped. */
const PUNCTUATION_OR_WORD = /[,:]|true|false|null|-?[0-9][0-9.eE+-]*/y;

const HALF = "a text holds a lone surrogate";
const UNCLOSED = "a text is not closed or holds a control character";
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

/** Returns the value of one JSON text, or where and why it is refused. `most` is the maximum number of bytes in UTF-8. */
export function readJson(text: string, most = MAX_JSON_BYTES): Result<Json> {
  return readIn("strict", text, most);
}

/**
 * Returns the value of a JSON text whose content other code checks, or where and why it is refused. This function rounds a number
 * that a call cannot contain; `readJson` still refuses the number when the content is checked. Lone surrogates are kept, because a stream may be
 * cut between the two halves of a pair.
 */
export function readCarrier(text: string, most = MAX_JSON_BYTES): Result<Json> {
  return readIn("carrier", text, most);
}

interface Form {
  readonly value: Json;
  /** Whether the text is certainly canonical. The value may be `false` even for a canonical text. */
  readonly isCanonical: boolean;
}

/** Reads strictly like `readJson`, and also returns whether the text is canonical. */
export function readForm(text: string, most = MAX_JSON_BYTES): Result<Form> {
  return readAs("strict", text, most);
}

function readIn(manner: Manner, text: string, most: number): Result<Json> {
  const read = readAs(manner, text, most);
  return read.ok ? accept(read.value.value) : read;
}

function readAs(manner: Manner, text: string, most: number): Result<Form> {
  // No UTF-16 unit takes more than three bytes, so the bytes of a short text are not counted.
  if (text.length * 3 > most && Buffer.byteLength(text) > most) return refuse(`longer than ${most} bytes`);
  const isPlain = !SPECIAL.test(text);
  if (manner === "strict" && !isPlain && !text.isWellFormed()) return refuse("holds a lone surrogate");
  const reader = new Reader(text, isPlain ? "plain" : "escaped", manner);
  const value = reader.readWhole();
  if (value === undefined) return refuse(`${reader.complaint} at character ${reader.complaintAt + 1}`);
  return accept({ value, isCanonical: reader.isCanonical });
}

/** Maximum depth that the tolerant reader parses; it keeps deeper parts as source text. */
const MAX_TOLERATED_DEPTH = 512;

/** A part of a JSON text that strict reading refuses: its source text, and the reason. */
interface Oddity {
  readonly source: string;
  readonly reason: string;
}

const ODDITIES = new WeakMap<JsonRecord, Oddity>();

/**
 * Returns the value of one JSON text. Each part that `readJson` refuses becomes an empty record, whose source `findOddity` returns. Such
 * parts are numbers beyond 2^53, duplicate names, `__proto__`, lone surrogates and nesting beyond MAX_TOLERATED_DEPTH. Fails if the text
 * is not JSON, or has more than `most` bytes of UTF-8.
 */
export function readTolerantly(text: string, most = MAX_JSON_BYTES): Result<Json> {
  return readIn("tolerant", text, most);
}

/**
 * Returns the source of a part that was kept unparsed, without blanks between its tokens, and the reason; `undefined`
 * for any other value.
 */
export function findOddity(value: Json | undefined): Oddity | undefined {
  const oddity = typeof value === "object" && value !== null ? ODDITIES.get(value as JsonRecord) : undefined;
  return oddity && { source: oddity.source.replace(BETWEEN, "$1"), reason: oddity.reason };
}

const BETWEEN = /("(?:[^"\\]|\\.)*")|[ \n\r\t]+/g;

/**
 * A record whose members the reader adds. Unlike a record of `Object.create(null)` it has a prototype of its own:
 * without one, look-ups of names are slow.
 */
export class BareRecord {
  [name: string]: Json;
}
Object.setPrototypeOf(BareRecord.prototype, null);
Reflect.deleteProperty(BareRecord.prototype, "constructor");
Object.freeze(BareRecord.prototype);

function checkName(name: string, use: "repeated" | "new", form: "plain" | "escaped"): string | undefined {
  if (name === "__proto__") return "the name __proto__ is not accepted";
  if (use === "repeated") return "the same name stands twice";
  return form === "plain" || name.isWellFormed() ? undefined : HALF;
}

/** Handling of a part that the strict reader refuses: it is refused, kept as source text, or rounded. */
type Manner = "strict" | "tolerant" | "carrier";

/** Parses by recursive descent. A method returns `undefined` if the text is refused; the reader keeps the first reason. */
class Reader {
  complaint = "";
  complaintAt = 0;
  /** Whether the text so far is written as RFC 8785 demands. A text with an escape counts as not canonical, which costs a little time. */
  isCanonical = true;
  private readonly text: string;
  /** Whether the text has no escape, control character or surrogate: each JSON text then ends at the next quotation mark. */
  private readonly isPlain: boolean;
  private readonly manner: Manner;
  private at = 0;

  constructor(text: string, form: "plain" | "escaped", manner: Manner) {
    this.text = text;
    this.isPlain = form === "plain";
    this.manner = manner;
  }

  readWhole(): Json | undefined {
    const value = this.value(1);
    if (value === undefined) return undefined;
    return Number.isNaN(this.peekNext()) ? value : this.refuse("something follows the value");
  }

  private value(depth: number): Json | undefined {
    if (depth > MAX_JSON_DEPTH && (this.manner !== "tolerant" || depth > MAX_TOLERATED_DEPTH))
      return this.handleTooDeep();
    switch (this.peekNext()) {
      case MARK.openRecord:
        return this.record(depth);
      case MARK.openList:
        return this.list(depth);
      case MARK.quote:
        return this.readWellFormed();
      case MARK.t:
        return this.readWord("true", true);
      case MARK.f:
        return this.readWord("false", false);
      case MARK.n:
        return this.readWord("null", null);
      default:
        return this.number();
    }
  }

  private record(depth: number): JsonRecord | undefined {
    const record = new BareRecord();
    const opened = this.at;
    let oddity: string | undefined;
    let before: string | undefined;
    let ascends = true;
    this.at += 1;
    if (this.take(MARK.closeRecord)) return record;
    do {
      if (this.peekNext() !== MARK.quote) return this.refuse("a name in quotes is expected");
      const start = this.at;
      const name = this.readString();
      if (name === undefined) return undefined;
      // As long as each name is greater than the name before, no name is repeated.
      if (before !== undefined && !(before < name)) ascends = false;
      const fault = checkName(
        name,
        !ascends && name in record ? "repeated" : "new",
        this.isPlain ? "plain" : "escaped",
      );
      if (fault !== undefined && this.manner !== "tolerant") return this.refuse(fault, start);
      oddity ??= fault;
      before = name;
      if (!this.expect(MARK.colon)) return undefined;
      const value = this.value(depth + 1);
      if (value === undefined) return undefined;
      record[name] = value;
    } while (this.take(MARK.comma));
    if (!ascends) this.isCanonical = false;
    if (!this.expect(MARK.closeRecord)) return undefined;
    return oddity === undefined ? record : this.keepOddity(oddity, opened);
  }

  private list(depth: number): readonly Json[] | undefined {
    const list: Json[] = [];
    this.at += 1;
    if (this.take(MARK.closeList)) return list;
    do {
      const value = this.value(depth + 1);
      if (value === undefined) return undefined;
      list.push(value);
    } while (this.take(MARK.comma));
    return this.expect(MARK.closeList) ? list : undefined;
  }

  private readString(): string | undefined {
    if (this.isPlain) return this.readPlainString();
    this.isCanonical = false;
    const start = this.at;
    const parts: string[] = [];
    this.at += 1;
    for (;;) {
      parts.push(this.match(PLAIN) ?? "");
      const mark = this.text[this.at];
      if (mark === '"') break;
      const escaped = mark === "\\" ? this.escape() : this.refuse(UNCLOSED);
      if (escaped === undefined) return undefined;
      parts.push(escaped);
    }
    this.at += 1;
    const text = parts.join("");
    return this.manner !== "strict" || text.isWellFormed() ? text : this.refuse(HALF, start);
  }

  private readWellFormed(): Json | undefined {
    const start = this.at;
    const text = this.readString();
    if (this.manner !== "tolerant" || text === undefined || this.isPlain || text.isWellFormed()) return text;
    return this.keepOddity(HALF, start);
  }

  private readPlainString(): string | undefined {
    const end = this.text.indexOf('"', this.at + 1);
    if (end === -1) {
      this.at = this.text.length;
      return this.refuse(UNCLOSED);
    }
    const text = this.text.slice(this.at + 1, end);
    this.at = end + 1;
    return text;
  }

  private escape(): string | undefined {
    const letter = this.text[this.at + 1] ?? "";
    const hex = this.text.slice(this.at + 2, this.at + 6);
    if (letter === "u" && /^[0-9a-fA-F]{4}$/.test(hex)) {
      this.at += 6;
      return String.fromCharCode(Number.parseInt(hex, 16));
    }
    const plain = Object.hasOwn(ESCAPES, letter) ? ESCAPES[letter] : undefined;
    if (plain === undefined) return this.refuse("an escape is not known");
    this.at += 2;
    return plain;
  }

  private number(): Json | undefined {
    const start = this.at;
    const digits = this.match(NUMBER);
    if (digits === undefined) return this.refuse("a value is expected");
    const value = Number(digits);
    if (String(value) !== digits) this.isCanonical = false;
    if (this.manner === "carrier" && Math.abs(value) > Number.MAX_SAFE_INTEGER) {
      return Math.max(-Number.MAX_VALUE, Math.min(value, Number.MAX_VALUE));
    }
    if (!Number.isFinite(value)) return this.keepOddity("a number is too large", start);
    const exact = !Number.isInteger(value) || Number.isSafeInteger(value);
    if (value === 0) return 0; // -0 and 0 are one value to RFC 8785
    return exact ? value : this.keepOddity("an integer is beyond 2^53 - 1 and must travel as text", start);
  }

  /** Refuses the part that begins at `start`, or keeps its source. */
  private keepOddity(reason: string, start: number): JsonRecord | undefined {
    if (this.manner !== "tolerant") return this.refuse(reason, start);
    const kept = new BareRecord();
    ODDITIES.set(kept, { source: this.text.slice(start, this.at), reason });
    return kept;
  }

  private handleTooDeep(): JsonRecord | undefined {
    const start = this.at;
    const most = this.manner === "tolerant" ? MAX_TOLERATED_DEPTH : MAX_JSON_DEPTH;
    const reason = `deeper than ${most} levels`;
    if (this.manner !== "tolerant") return this.refuse(reason);
    if (!this.skip()) return this.refuse("a value is expected", start);
    return this.keepOddity(reason, start);
  }

  /** Skips one value of any depth; returns false if the text ends before that. */
  private skip(): boolean {
    let open = 0;
    do {
      const code = this.peekNext();
      if (code === MARK.quote) {
        if (this.readString() === undefined) return false;
      } else if (code === MARK.openList || code === MARK.openRecord) {
        open += 1;
        this.at += 1;
      } else if (code === MARK.closeList || code === MARK.closeRecord) {
        open -= 1;
        this.at += 1;
      } else if (this.match(PUNCTUATION_OR_WORD) === undefined) return false;
    } while (open > 0);
    return open === 0;
  }

  private readWord<T extends Json>(word: string, value: T): T | undefined {
    if (!this.text.startsWith(word, this.at)) return this.refuse("a value is expected");
    this.at += word.length;
    return value;
  }

  /** Returns the code of the next character that is not blank, without taking it; NaN at the end. */
  private peekNext(): number {
    let code = this.text.charCodeAt(this.at);
    // All other characters between the parts of JSON have codes above the blank's.
    while (code <= 0x20) {
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return code;
      this.isCanonical = false;
      this.at += 1;
      code = this.text.charCodeAt(this.at);
    }
    return code;
  }

  private take(code: number): boolean {
    if (this.peekNext() !== code) return false;
    this.at += 1;
    return true;
  }

  private expect(code: number): boolean {
    if (this.take(code)) return true;
    this.refuse(`"${String.fromCharCode(code)}" is expected`);
    return false;
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  private refuse(complaint: string, at = this.at): undefined {
    this.complaint = complaint;
    this.complaintAt = at;
    return undefined;
  }
}
