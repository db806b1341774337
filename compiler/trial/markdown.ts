// Finds the attributes of a model's text from its markdown, as the console of an image does: strong, emphasis, code and headings. Only
// attributes change: every character stays, so that no text can hide a part of itself. Colours are reserved for the console's own
// text.

/** Attributes of a character; `isMarkup` is set for characters of the markdown itself, such as `*`. */
export interface Style {
  readonly isStrong: boolean;
  readonly isEmphasis: boolean;
  readonly isCode: boolean;
  readonly isMarkup: boolean;
}

interface Run {
  readonly of: string;
  readonly count: number;
  readonly before: string;
}

const WORD = /^[\p{L}\p{N}]$/u;
const BLANK = /^\s?$/u;
const OPENERS = '`"(';

/** State of the markdown of a text, which may come in pieces of any size. */
export class Markdown {
  #isStrong = false;
  #isEmphasis = false;
  #isCode = false;
  #isHeading = false;
  /** Whether the line is in a block of code, between lines of three backticks. */
  #isBlock = false;
  #run: Run | undefined;
  #last = "";
  /** Whether the line so far contains only blanks and its first run of markup. */
  #isBegin = true;

  /** Returns the style of the next character of a line. */
  style(character: string): Style {
    if (this.#run !== undefined && this.#run.of !== character) this.#endRun(character);
    const isMarker = "*_`".includes(character) || (this.#isBegin && character === "#");
    const isMarkup = isMarker && (!this.#isBlock || character === "`");
    if (isMarkup) {
      const { count, before } = this.#run ?? { count: 0, before: this.#last };
      this.#run = { of: character, count: count + 1, before };
    } else this.#isBegin &&= character === " ";
    this.#last = character;
    return {
      isStrong: this.#isStrong || this.#isHeading,
      isEmphasis: this.#isEmphasis,
      isCode: this.#isCode || this.#isBlock,
      isMarkup,
    };
  }

  /** Whether the next line is in a block of code. */
  get isBlock(): boolean {
    return this.#isBlock;
  }

  /** Returns an independent copy of the state. */
  copy(): Markdown {
    const other = new Markdown();
    other.#isStrong = this.#isStrong;
    other.#isEmphasis = this.#isEmphasis;
    other.#isCode = this.#isCode;
    other.#isHeading = this.#isHeading;
    other.#isBlock = this.#isBlock;
    other.#run = this.#run;
    other.#last = this.#last;
    other.#isBegin = this.#isBegin;
    return other;
  }

  /** Ends the line, and all markup except a block of code, which may have many lines. */
  endLine(): void {
    this.#endRun("");
    this.#isStrong = this.#isEmphasis = this.#isCode = this.#isHeading = false;
    this.#last = "";
    this.#isBegin = true;
  }

  /** Begins or ends an attribute, such as strong after `**`, now that the characters around the markup are known. */
  #endRun(next: string): void {
    if (this.#run === undefined) return;
    const { of, count, before } = this.#run;
    const isBegin = this.#isBegin;
    this.#run = undefined;
    this.#isBegin = false;
    if (of === "`" && count >= 3 && isBegin) this.#isBlock = !this.#isBlock;
    else if (this.#isBlock) return;
    else if (of === "`" && count === 1) this.#isCode = !this.#isCode;
    else if (this.#isCode) return;
    else if (of === "#") this.#isHeading = count <= 6 && next === " ";
    else if (of !== "`" && count <= 3) {
      const opens = (WORD.test(next) || (next !== "" && OPENERS.includes(next))) && !WORD.test(before);
      const closes = !BLANK.test(before) && !WORD.test(next);
      if (count >= 2) this.#isStrong = this.#isStrong ? !closes : opens;
      if (count !== 2) this.#isEmphasis = this.#isEmphasis ? !closes : opens;
    }
  }
}

export const PLAIN: Style = { isStrong: false, isEmphasis: false, isCode: false, isMarkup: false };

/** Returns the sequence that sets exactly these attributes. */
export function renderStyle({ isStrong, isEmphasis, isCode, isMarkup }: Style): string {
  return `\u001b[0${isStrong ? ";1" : ""}${isEmphasis ? ";3" : ""}${isCode ? ";4" : ""}${isMarkup ? ";2" : ""}m`;
}
