// Reads TOML. `smol-toml` gives the value, and this file finds the positions of its parts in a text that `smol-toml` accepted.

import { parse, TomlError } from "smol-toml";
import type { SourceText } from "../../../../lang/text/index.ts";
import { createPlaceOf, MAX_DEPTH, MAX_VALUES, type Places, refuseAt, type SettingsRead } from "./located.ts";

/** Reads a settings file. The caller has bounded the size of `source`. */
export function readToml(source: SourceText): SettingsRead {
  try {
    const value: unknown = parse(source.text, { maxDepth: MAX_DEPTH });
    const locator = new Locator(source.text);
    if (!locator.locate()) return refuseAt(source, 0, `there are more than ${MAX_VALUES} values`);
    return { ok: true, value, placeOf: createPlaceOf(source, locator.places) };
  } catch (caught) {
    if (!(caught instanceof TomlError)) throw caught;
    const reason = caught.message.split("\n", 1)[0]?.replace(/^Invalid TOML document: /, "") ?? "it is not TOML";
    return refuseAt(source, findOffset(source.text, caught.line, caught.column), reason);
  }
}

function findOffset(text: string, line: number, column: number): number {
  let at = 0;
  for (let passed = 1; passed < line; passed += 1) {
    const end = text.indexOf("\n", at);
    if (end === -1) break;
    at = end + 1;
  }
  return at + column - 1;
}

type Path = readonly (string | number)[];

/** Finds the positions of keys and values, without checking the text. */
class Locator {
  readonly places: Places = new Map();
  readonly #text: string;
  /** Number of tables in each array of tables, by the path of the array as JSON. */
  readonly #tables = new Map<string, number>();
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Finds all positions. Returns false if the text has too many values. */
  locate(): boolean {
    let table: Path = [];
    for (;;) {
      this.#skipSpace();
      if (this.#at >= this.#text.length) return true;
      if (this.places.size > MAX_VALUES) return false;
      const start = this.#at;
      if (this.#text[start] === "[") {
        table = this.#readHeader();
        this.#mark(table, start);
      } else this.#readPair(table);
      if (this.#at <= start) return true;
    }
  }

  #mark(path: Path, start: number): void {
    const key = JSON.stringify(path);
    if (!this.places.has(key)) this.places.set(key, [start, this.#at]);
  }

  #readHeader(): Path {
    const isArray = this.#text.startsWith("[[", this.#at);
    this.#at += isArray ? 2 : 1;
    const keys = this.#readKeys();
    this.#at += isArray ? 2 : 1;
    let path: Path = [];
    for (const [index, key] of keys.entries()) {
      path = [...path, key];
      const name = JSON.stringify(path);
      const isNew = isArray && index === keys.length - 1;
      if (isNew) this.#tables.set(name, (this.#tables.get(name) ?? 0) + 1);
      const count = this.#tables.get(name);
      if (count !== undefined) path = [...path, count - 1];
    }
    return path;
  }

  #readPair(table: Path): void {
    const start = this.#at;
    const keys = this.#readKeys();
    this.#at += 1; // the equals sign
    this.#skipSpace();
    const path = [...table, ...keys];
    this.#readValue(path);
    for (let length = table.length + 1; length < path.length; length += 1) this.#mark(path.slice(0, length), start);
  }

  #readValue(path: Path): void {
    const start = this.#at;
    const next = this.#text[start];
    if (next === '"' || next === "'") this.#readString(next);
    else if (next === "[") this.#readList(path);
    else if (next === "{") this.#readTable(path);
    else this.#skipWhile(/[^,\]}\s#]/);
    this.#mark(path, start);
  }

  #readList(path: Path): void {
    this.#at += 1;
    for (let index = 0; this.#at < this.#text.length; index += 1) {
      this.#skipSpace();
      if (this.#take("]")) return;
      this.#readValue([...path, index]);
      this.#skipSpace();
      this.#take(",");
    }
  }

  #readTable(path: Path): void {
    this.#at += 1;
    while (this.#at < this.#text.length) {
      this.#skipSpace();
      if (this.#take("}")) return;
      this.#readPair(path);
      this.#skipSpace();
      this.#take(",");
    }
  }

  #readKeys(): string[] {
    const keys: string[] = [];
    do {
      this.#skipWhile(/[ \t]/);
      const next = this.#text[this.#at];
      keys.push(next === '"' || next === "'" ? this.#readString(next) : this.#skipWhile(/[\w-]/));
      this.#skipWhile(/[ \t]/);
    } while (this.#take("."));
    return keys;
  }

  /**
   * Reads a string and returns its value. Escapes in a string of several lines are not decoded. Only keys need
   * decoding, and such a string cannot be a key.
   */
  #readString(mark: string): string {
    const whole = this.#text.startsWith(mark.repeat(3), this.#at) ? mark.repeat(3) : mark;
    const start = this.#at;
    this.#at += whole.length;
    while (this.#at < this.#text.length && !this.#text.startsWith(whole, this.#at))
      this.#at += mark === '"' && this.#text[this.#at] === "\\" ? 2 : 1;
    const inside = this.#text.slice(start + whole.length, this.#at);
    this.#at += whole.length;
    // Up to two quotation marks may end the content of a string of several lines.
    if (whole.length === 3) this.#skipWhile(mark === '"' ? /"/ : /'/);
    return mark === '"' && whole.length === 1 ? parseBasicString(inside) : inside;
  }

  #skipSpace(): void {
    for (;;) {
      this.#skipWhile(/\s/);
      if (this.#text[this.#at] !== "#") return;
      this.#skipWhile(/[^\n]/);
    }
  }

  #skipWhile(pattern: RegExp): string {
    const start = this.#at;
    while (this.#at < this.#text.length && pattern.test(this.#text[this.#at] ?? "")) this.#at += 1;
    return this.#text.slice(start, this.#at);
  }

  #take(mark: string): boolean {
    if (this.#text[this.#at] !== mark) return false;
    this.#at += 1;
    return true;
  }
}

/** Returns the value of a basic string that is in one line. `inside` is the text between its quotes. */
function parseBasicString(inside: string): string {
  const value: unknown = parse(`k = "${inside}"`)["k"];
  return typeof value === "string" ? value : inside;
}
