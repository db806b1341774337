// Reads the part of Starlark that rules of Codex use: calls with named arguments, whose values are literals.

import type { SourceText } from "../../../../lang/text/index.ts";
import { MAX_DEPTH, MAX_VALUES, Refusal } from "./located.ts";

export type Literal = string | boolean | null | readonly Literal[];

export interface Call {
  readonly name: string;
  readonly values: ReadonlyMap<string, Literal>;
  /** Offset of the first character of the call; `end` is the offset after its last character. */
  readonly start: number;
  readonly end: number;
}

type CallsRead =
  | { readonly ok: true; readonly value: readonly Call[] }
  | { readonly ok: false; readonly at: number; readonly reason: string };

/** Reads the calls of a file, and refuses any other statement or value. The caller has bounded the size of `source`. */
export function readCalls({ text }: SourceText): CallsRead {
  const reader = new Reader(text);
  try {
    return { ok: true, value: reader.readFile() };
  } catch (caught) {
    if (caught instanceof Refusal) return { ok: false, at: caught.at, reason: caught.message };
    throw caught;
  }
}

const NAME = /[A-Za-z_]\w*/y;
const SPACE = /(?:\s|#[^\n]*)+/y;
const WORDS: ReadonlyMap<string, Literal> = new Map<string, Literal>([
  ["True", true],
  ["False", false],
  ["None", null],
]);
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", "\n": "" };

class Reader {
  readonly #text: string;
  #at = 0;
  #values = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readFile(): readonly Call[] {
    const calls: Call[] = [];
    for (;;) {
      this.#match(SPACE);
      if (this.#at >= this.#text.length) return calls;
      calls.push(this.#readCall());
    }
  }

  #refuse(reason: string): never {
    throw new Refusal(this.#at, reason);
  }

  #readCall(): Call {
    const start = this.#at;
    const name = this.#match(NAME) ?? this.#refuse("only calls with literal values are read");
    if (!this.#take("(")) this.#refuse("only calls with literal values are read");
    const values = new Map<string, Literal>();
    while (!this.#take(")")) {
      this.#match(SPACE);
      const key = this.#match(NAME) ?? this.#refuse("an argument has no name");
      if (values.has(key)) this.#refuse(`the argument ${key} is repeated`);
      if (!this.#take("=")) this.#refuse("an argument has no name");
      values.set(key, this.#readLiteral(0));
      this.#endItem(")");
    }
    return { name, values, start, end: this.#at };
  }

  /** Reads the comma after an item, unless the closing bracket follows. */
  #endItem(close: string): void {
    if (this.#take(",")) return;
    this.#match(SPACE);
    if (this.#text[this.#at] !== close) this.#refuse("a comma is missing");
  }

  #readLiteral(depth: number): Literal {
    this.#match(SPACE);
    this.#values += 1;
    if (this.#values > MAX_VALUES) this.#refuse(`there are more than ${MAX_VALUES} values`);
    if (depth > MAX_DEPTH) this.#refuse(`it is nested deeper than ${MAX_DEPTH}`);
    if (this.#take("[")) {
      const list: Literal[] = [];
      while (!this.#take("]")) {
        list.push(this.#readLiteral(depth + 1));
        this.#endItem("]");
      }
      return list;
    }
    const mark = this.#text[this.#at];
    if (mark === '"' || mark === "'") return this.#readString(mark);
    const word = this.#match(NAME);
    const value = word === undefined ? undefined : WORDS.get(word);
    return value === undefined ? this.#refuse("a value is no literal") : value;
  }

  #readString(mark: string): string {
    const whole = this.#text.startsWith(mark.repeat(3), this.#at) ? mark.repeat(3) : mark;
    this.#at += whole.length;
    let text = "";
    while (!this.#text.startsWith(whole, this.#at)) {
      const next = this.#text[this.#at];
      if (next === undefined || (next === "\n" && whole.length === 1)) return this.#refuse("a text does not end");
      this.#at += 1;
      if (next !== "\\") text += next;
      else {
        const escaped = this.#text[this.#at] ?? this.#refuse("a text does not end");
        if (!/[\\'"nrt\n]/.test(escaped)) this.#refuse("an escape is unknown");
        text += ESCAPES[escaped] ?? escaped;
        this.#at += 1;
      }
    }
    this.#at += whole.length;
    return text;
  }

  #take(mark: string): boolean {
    this.#match(SPACE);
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
