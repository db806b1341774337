// Reads JSON that a model wrote. JSON.parse is not used: it keeps the last of two equal keys, rounds large integers
// and gives `__proto__` a meaning, so that two readers could see different arguments in one text.
import { accept, type Checked, refuse } from "./checked.ts";

export type Json = null | boolean | number | string | readonly Json[] | JsonRecord;
/** Always without a prototype: a name that is not in the text is not in the record. */
export interface JsonRecord {
  readonly [name: string]: Json;
}

/** Bytes of UTF-8; half of the largest frame, so that a call always fits into one with room for escapes. */
export const MAX_JSON_BYTES = 512 * 1024;
export const MAX_JSON_DEPTH = 32;

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids exactly these inside a string
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const BLANK = /[ \t\n\r]*/y;
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

/** The value of one JSON text, or where and why it is refused. `most`: bytes of UTF-8. */
export function readJson(text: string, most = MAX_JSON_BYTES): Checked<Json> {
  if (text.length > most || Buffer.byteLength(text) > most) return refuse(`longer than ${most} bytes`);
  if (!text.isWellFormed()) return refuse("holds a lone surrogate");
  const reader = new Reader(text);
  const value = reader.whole();
  return value === undefined ? refuse(`${reader.complaint} at character ${reader.complaintAt + 1}`) : accept(value);
}

/** Recursive descent; `undefined` means refused, and the first complaint stands. */
class Reader {
  complaint = "";
  complaintAt = 0;
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  whole(): Json | undefined {
    const value = this.value(1);
    if (value === undefined) return undefined;
    return this.next() === "" ? value : this.refuse("something follows the value");
  }

  private value(depth: number): Json | undefined {
    if (depth > MAX_JSON_DEPTH) return this.refuse(`deeper than ${MAX_JSON_DEPTH} levels`);
    switch (this.next()) {
      case "{":
        return this.record(depth);
      case "[":
        return this.list(depth);
      case '"':
        return this.string();
      case "t":
        return this.word("true", true);
      case "f":
        return this.word("false", false);
      case "n":
        return this.word("null", null);
      default:
        return this.number();
    }
  }

  private record(depth: number): JsonRecord | undefined {
    const record: Record<string, Json> = Object.create(null);
    this.at += 1;
    if (this.take("}")) return record;
    do {
      const name = this.name(record);
      if (name === undefined || !this.expect(":")) return undefined;
      const value = this.value(depth + 1);
      if (value === undefined) return undefined;
      record[name] = value;
    } while (this.take(","));
    return this.expect("}") ? record : undefined;
  }

  private name(record: JsonRecord): string | undefined {
    if (this.next() !== '"') return this.refuse("a name in quotes is expected");
    const start = this.at;
    const name = this.string();
    if (name === undefined) return undefined;
    if (name === "__proto__") return this.refuse("the name __proto__ is not accepted", start);
    return name in record ? this.refuse("the same name stands twice", start) : name;
  }

  private list(depth: number): readonly Json[] | undefined {
    const list: Json[] = [];
    this.at += 1;
    if (this.take("]")) return list;
    do {
      const value = this.value(depth + 1);
      if (value === undefined) return undefined;
      list.push(value);
    } while (this.take(","));
    return this.expect("]") ? list : undefined;
  }

  private string(): string | undefined {
    const start = this.at;
    const parts: string[] = [];
    this.at += 1;
    for (;;) {
      parts.push(this.match(PLAIN) ?? "");
      const mark = this.text[this.at];
      if (mark === '"') break;
      const escaped = mark === "\\" ? this.escape() : this.refuse("a text is not closed or holds a control character");
      if (escaped === undefined) return undefined;
      parts.push(escaped);
    }
    this.at += 1;
    const text = parts.join("");
    return text.isWellFormed() ? text : this.refuse("a text holds a lone surrogate", start);
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

  private number(): number | undefined {
    const start = this.at;
    const digits = this.match(NUMBER);
    if (digits === undefined) return this.refuse("a value is expected");
    const value = Number(digits);
    if (!Number.isFinite(value)) return this.refuse("a number is too large", start);
    const exact = !Number.isInteger(value) || Number.isSafeInteger(value);
    if (value === 0) return 0; // -0 and 0 are one value to RFC 8785
    return exact ? value : this.refuse("an integer is beyond 2^53 - 1 and must travel as text", start);
  }

  private word<T extends Json>(word: string, value: T): T | undefined {
    if (!this.text.startsWith(word, this.at)) return this.refuse("a value is expected");
    this.at += word.length;
    return value;
  }

  /** The next character that is not blank, not yet taken; empty at the end. */
  private next(): string {
    this.match(BLANK);
    return this.text[this.at] ?? "";
  }

  private take(mark: string): boolean {
    if (this.next() !== mark) return false;
    this.at += 1;
    return true;
  }

  private expect(mark: string): boolean {
    if (this.take(mark)) return true;
    this.refuse(`"${mark}" is expected`);
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
