import type { SourceText } from "../text/index.ts";
import {
  ASTERISK,
  BACKSLASH,
  BLANK,
  CAPITAL_M,
  CARRIAGE_RETURN,
  CHARACTERS,
  DASH,
  DIGIT,
  DOT,
  LETTER,
  LINE_FEED,
  NOTHING,
  NUMBER_SIGN,
  QUOTE,
  SINGLE_QUOTE,
  SLASH,
  SMALL_K,
  STRANGE,
} from "./characters.ts";
import { FIRST_HASH, findKeyword, updateHash } from "./keywords.ts";
import { Tokens } from "./tokens.ts";
import { getCode, SIGNS } from "./vocabulary.ts";

// Cuts a source into tokens, comments, and runs of characters without a meaning. Any text gives a result, in a time proportional to its
// length. findings.ts reports faults of tokens.

/** Half-open range of offsets. */
interface Stretch {
  readonly start: number;
  readonly end: number;
}

export interface ScanResult {
  readonly source: SourceText;
  readonly tokens: Tokens;
  /** `///` lines, in order. */
  readonly docs: readonly Stretch[];
  /** `//` lines, in order; only the formatter uses them. */
  readonly comments: readonly Stretch[];
  /**
   * Text without a meaning, in order. A text in single quotes is in this list and is also a token. So it gives one message here,
   * and no syntax error in the parser.
   */
  readonly unknown: readonly Stretch[];
  /** First bracket that is nested too deep. If there is one, a parser must not start, because it recurses for each level of nesting. */
  readonly tooDeep: Stretch | undefined;
}

export const MAX_NESTING = 64;

const NUMBER = getCode("Number");
const STRING = getCode("String");
const UNCLOSED_STRING = getCode("UnclosedString");
const STRANGE_NAME = getCode("StrangeName");

/**
 * `ALONE` maps a character to the code of the sign that consists of only this character. `DOUBLE` maps a character to the code
 * of the sign of two characters that begins with it.
 */
const ALONE = new Uint8Array(128);
const DOUBLE = new Uint8Array(128);
/** Second character of the sign in `DOUBLE`. */
const SECOND = new Uint8Array(128);

for (const sign of SIGNS) {
  const unit = sign.charCodeAt(0);
  (sign.length === 1 ? ALONE : DOUBLE)[unit] = getCode(sign);
  if (sign.length === 2) SECOND[unit] = sign.charCodeAt(1);
}

const STEPS = new Int8Array(256);
for (const sign of ["{", "[", "("] as const) STEPS[getCode(sign)] = 1;
for (const sign of ["}", "]", ")"] as const) STEPS[getCode(sign)] = -1;

export function scan(source: SourceText): ScanResult {
  const scanner = new Scanner(source.text);
  scanner.run();
  const { tokens, docs, comments, unknown, tooDeep } = scanner;
  return { source, tokens, docs, comments, unknown, tooDeep };
}

class Scanner {
  readonly tokens: Tokens;
  readonly docs: Stretch[] = [];
  readonly comments: Stretch[] = [];
  readonly unknown: { start: number; end: number }[] = [];
  tooDeep: Stretch | undefined;
  private depth = 0;
  private readonly text: string;
  /** Offset up to which `isStrange` has searched the page for name characters outside of ASCII. */
  private runEnd = 0;
  private lastStrange = -1;

  constructor(text: string) {
    this.text = text;
    this.tokens = new Tokens((text.length >> 2) + 16);
  }

  run(): void {
    const { text } = this;
    const { length } = text;
    let at = 0;
    while (at < length) {
      const unit = text.charCodeAt(at);
      const character = CHARACTERS[unit] ?? NOTHING;
      if (character === BLANK) at++;
      else if (character === LETTER) at = this.scanName(at);
      else if (character === DIGIT) at = this.number(at);
      else if (character === STRANGE) at = this.scanStrangeName(at);
      else at = this.sign(at, unit);
    }
  }

  private getUnit(at: number): number {
    return at < this.text.length ? this.text.charCodeAt(at) : 0;
  }

  private scanName(start: number): number {
    const { text } = this;
    const { length } = text;
    let hash = FIRST_HASH;
    let at = start;
    for (; at < length; at++) {
      const unit = text.charCodeAt(at);
      const character = CHARACTERS[unit] ?? NOTHING;
      if (character === LETTER || character === DIGIT) hash = updateHash(hash, unit);
      else if (unit === DASH && this.isWord(at + 1)) hash = updateHash(hash, unit);
      else if ((unit === DASH || character === STRANGE) && this.isStrange(start)) return this.scanStrangeName(start);
      else break;
    }
    this.tokens.push(findKeyword(text, start, at, hash), start, at);
    return at;
  }

  private isWord(at: number): boolean {
    const character = CHARACTERS[this.getUnit(at)];
    return character === LETTER || character === DIGIT;
  }

  /** Returns whether the run of name characters at an offset contains a character outside of ASCII. Each run is searched only once. */
  private isStrange(start: number): boolean {
    if (start >= this.runEnd) {
      let at = start;
      for (; at < this.text.length; at++) {
        const unit = this.text.charCodeAt(at);
        const character = CHARACTERS[unit];
        if (character === STRANGE) this.lastStrange = at;
        else if (character !== LETTER && character !== DIGIT && unit !== DASH) break;
      }
      this.runEnd = at;
    }
    return this.lastStrange >= start;
  }

  private scanStrangeName(start: number): number {
    if (!this.isStrange(start)) return this.addUnknown(start);
    this.tokens.push(STRANGE_NAME, start, this.runEnd);
    return this.runEnd;
  }

  private skipDigits(start: number): number {
    let at = start;
    while (CHARACTERS[this.getUnit(at)] === DIGIT) at++;
    return at;
  }

  /** Scans a number; `start` is the offset of the first digit, or of the minus before it. */
  private number(start: number): number {
    let at = this.skipDigits(start + 1);
    if (this.getUnit(at) === DOT && CHARACTERS[this.getUnit(at + 1)] === DIGIT) at = this.skipDigits(at + 1);
    const unit = this.getUnit(at);
    if ((unit === SMALL_K || unit === CAPITAL_M) && !this.isWord(at + 1)) at++;
    this.tokens.push(NUMBER, start, at);
    return at;
  }

  private sign(start: number, unit: number): number {
    const next = this.getUnit(start + 1);
    if (unit === CARRIAGE_RETURN) return next === LINE_FEED ? start + 2 : this.addUnknown(start);
    if (unit === SLASH && next === SLASH) return this.scanComment(start);
    if (unit === SLASH && next === ASTERISK) return this.scanForeignBlock(start);
    const double = DOUBLE[unit] ?? 0;
    if (double !== 0 && next === SECOND[unit]) return this.addSign(double, start, start + 2);
    const alone = ALONE[unit] ?? 0;
    if (alone !== 0) return this.addSign(alone, start, start + 1);
    if (unit === QUOTE) return this.scanString(start);
    if (unit === DASH) return CHARACTERS[next] === DIGIT ? this.number(start) : this.scanStrangeName(start);
    if (unit === SINGLE_QUOTE) return this.scanForeignText(start);
    return unit === NUMBER_SIGN ? this.scanForeignComment(start) : this.addUnknown(start);
  }

  private addSign(code: number, start: number, end: number): number {
    this.depth = Math.max(0, this.depth + (STEPS[code] ?? 0));
    if (this.depth > MAX_NESTING) this.tooDeep ??= { start, end };
    this.tokens.push(code, start, end);
    return end;
  }

  private scanString(start: number): number {
    const { text } = this;
    const { length } = text;
    let at = start + 1;
    for (; at < length; at++) {
      const unit = text.charCodeAt(at);
      if (unit === QUOTE) {
        this.tokens.push(STRING, start, at + 1);
        return at + 1;
      }
      if (unit === LINE_FEED || unit === CARRIAGE_RETURN) break;
      if (unit === BACKSLASH && at + 1 < length && !this.isLineEnd(at + 1)) at++;
    }
    this.tokens.push(UNCLOSED_STRING, start, at);
    return at;
  }

  private isLineEnd(at: number): boolean {
    const unit = this.text.charCodeAt(at);
    return unit === LINE_FEED || unit === CARRIAGE_RETURN;
  }

  private scanComment(start: number): number {
    let end = start + 2;
    while (end < this.text.length && !this.isLineEnd(end)) end++;
    const isDoc = this.getUnit(start + 2) === SLASH && this.getUnit(start + 3) !== SLASH;
    (isDoc ? this.docs : this.comments).push({ start, end });
    return end;
  }

  /** Scans a line comment of another language as one run of text without a meaning, so that it gives one message. */
  private scanForeignComment(start: number): number {
    let end = start + 1;
    while (end < this.text.length && !this.isLineEnd(end)) end++;
    this.unknown.push({ start, end });
    return end;
  }

  private scanForeignBlock(start: number): number {
    const close = this.text.indexOf("*/", start + 2);
    const end = close === -1 ? this.text.length : close + 2;
    this.unknown.push({ start, end });
    return end;
  }

  /** Scans a text in single quotes if it is closed on its line. */
  private scanForeignText(start: number): number {
    let at = start + 1;
    while (at < this.text.length && !this.isLineEnd(at) && this.getUnit(at) !== SINGLE_QUOTE) at++;
    if (this.getUnit(at) !== SINGLE_QUOTE) return this.addUnknown(start);
    this.tokens.push(STRING, start, at + 1);
    this.unknown.push({ start, end: at + 1 });
    return at + 1;
  }

  /**
   * Records a character without a meaning. Adjacent characters without a meaning form one run, which gives one message.
   */
  private addUnknown(start: number): number {
    const before = this.unknown.at(-1);
    if (before?.end === start) before.end++;
    else this.unknown.push({ start, end: start + 1 });
    return start + 1;
  }
}
