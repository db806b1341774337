// Reads JSON5 (https://spec.json5.org) with positions: JSON with comments, unquoted names, texts in single quotation
// marks, and more forms of numbers. It refuses repeated names.

import type { SourceText } from "../../../../lang/text/index.ts";
import { createPlaceOf, MAX_DEPTH, MAX_VALUES, type Places, Refusal, refuseAt, type SettingsRead } from "./located.ts";

/** Reads a settings file. The caller has bounded the size of `source`. */
export function readJson5(source: SourceText): SettingsRead {
  const reader = new Reader(source.text);
  try {
    const value = reader.readFile();
    return { ok: true, value, placeOf: createPlaceOf(source, reader.places) };
  } catch (caught) {
    if (caught instanceof Refusal) return refuseAt(source, caught.at, caught.message);
    throw caught;
  }
}

const SPACE = /[\s\ufeff\u2028\u2029]/;
const NAME = /[\p{L}\p{Nl}$_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}$\u200c\u200d]*/uy;
const NUMBER =
  /[+-]?(?:Infinity|NaN|0[xX][\da-fA-F]+|(?:0|[1-9]\d*)(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)/y;
const ESCAPES: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v", "0": "\0" };

class Reader {
  readonly places: Places = new Map();
  readonly #text: string;
  #at = 0;
  #values = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readFile(): unknown {
    const value = this.#readValue([]);
    this.#skipSpace();
    if (this.#at < this.#text.length) this.#refuse("something follows the value");
    return value;
  }

  #refuse(reason: string): never {
    throw new Refusal(this.#at, reason);
  }

  #skipSpace(): void {
    for (;;) {
      const next = this.#text[this.#at];
      if (next !== undefined && SPACE.test(next)) this.#at += 1;
      else if (this.#text.startsWith("//", this.#at)) this.#at = this.#findLineEnd();
      else if (this.#text.startsWith("/*", this.#at)) {
        const end = this.#text.indexOf("*/", this.#at + 2);
        if (end === -1) this.#refuse("a comment does not end");
        this.#at = end + 2;
      } else return;
    }
  }

  #findLineEnd(): number {
    const end = this.#text.indexOf("\n", this.#at);
    return end === -1 ? this.#text.length : end;
  }

  #readValue(path: readonly (string | number)[]): unknown {
    this.#skipSpace();
    this.#values += 1;
    if (this.#values > MAX_VALUES) this.#refuse(`there are more than ${MAX_VALUES} values`);
    if (path.length > MAX_DEPTH) this.#refuse(`it is nested deeper than ${MAX_DEPTH}`);
    const start = this.#at;
    const value = this.#readAnyValue(path);
    this.places.set(JSON.stringify(path), [start, this.#at]);
    return value;
  }

  #readAnyValue(path: readonly (string | number)[]): unknown {
    const next = this.#text[this.#at];
    if (next === "{") return this.#readObject(path);
    if (next === "[") return this.#readList(path);
    if (next === '"' || next === "'") return this.#readString(next);
    for (const [word, value] of [
      ["true", true],
      ["false", false],
      ["null", null],
    ] as const)
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return value;
      }
    const number = this.#match(NUMBER);
    if (number === undefined)
      return this.#refuse(next === undefined ? "the file ends too early" : "no value begins here");
    return parseNumber(number);
  }

  #readObject(path: readonly (string | number)[]): object {
    const object: Record<string, unknown> = Object.create(null);
    this.#at += 1;
    for (;;) {
      this.#skipSpace();
      if (this.#take("}")) return object;
      const at = this.#at;
      const name = this.#readName();
      if (Object.hasOwn(object, name)) {
        this.#at = at;
        this.#refuse(`the name ${JSON.stringify(name)} is repeated`);
      }
      this.#skipSpace();
      if (!this.#take(":")) this.#refuse("a colon is missing");
      object[name] = this.#readValue([...path, name]);
      this.#skipSpace();
      if (this.#take(",") || this.#text[this.#at] === "}") continue;
      this.#refuse("a comma or a closing brace is missing");
    }
  }

  #readList(path: readonly (string | number)[]): unknown[] {
    const list: unknown[] = [];
    this.#at += 1;
    for (;;) {
      this.#skipSpace();
      if (this.#take("]")) return list;
      list.push(this.#readValue([...path, list.length]));
      this.#skipSpace();
      if (this.#take(",") || this.#text[this.#at] === "]") continue;
      this.#refuse("a comma or a closing bracket is missing");
    }
  }

  #readName(): string {
    const next = this.#text[this.#at];
    if (next === '"' || next === "'") return this.#readString(next);
    return this.#match(NAME) ?? this.#refuse("a name is missing");
  }

  #readString(mark: string): string {
    let text = "";
    this.#at += 1;
    for (;;) {
      const next = this.#text[this.#at];
      if (next === undefined || next === "\n" || next === "\r") return this.#refuse("a text does not end");
      this.#at += 1;
      if (next === mark) return text;
      text += next === "\\" ? this.#readEscape() : next;
    }
  }

  #readEscape(): string {
    const next = this.#text[this.#at] ?? this.#refuse("a text does not end");
    this.#at += 1;
    // A backslash at the end of a line continues the text.
    if (next === "\r") this.#take("\n");
    if (/[\n\r\u2028\u2029]/.test(next)) return "";
    if (next !== "x" && next !== "u") return ESCAPES[next] ?? next;
    const digits = this.#text.slice(this.#at, this.#at + (next === "x" ? 2 : 4));
    if (!/^(?:[\da-fA-F]{2}){1,2}$/.test(digits) || digits.length !== (next === "x" ? 2 : 4))
      this.#refuse("an escape is incomplete");
    this.#at += digits.length;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  #take(mark: string): boolean {
    if (this.#text[this.#at] !== mark) return false;
    this.#at += 1;
    return true;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }
}

function parseNumber(text: string): number {
  const sign = text.startsWith("-") ? -1 : 1;
  return sign * Number(text.replace(/^[+-]/, ""));
}
