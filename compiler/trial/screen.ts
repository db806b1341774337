// Draws lines with their speaker, as the console of an image does. Every line of a text begins with the speaker's
// prefix, and every continuation of a long line begins with two spaces. So a text cannot look like the prompt or like
// the text of another speaker, however long it is.

import { escapeInvisible } from "../../lang/diagnostics/index.ts";
import { Markdown, PLAIN, renderStyle, type Style } from "./markdown.ts";

/** Output to which the screen writes. */
export interface Surface {
  readonly write: (text: string) => void;
  /** Returns the width of the output in columns, which is at least 20. */
  readonly columns: () => number;
  /** Whether text that was drawn can be replaced. */
  readonly isRewritable: boolean;
  /** Whether colours and attributes are drawn. */
  readonly isPainted: boolean;
}

const CONTINUED = "  ";
/** Beginning of the mark of a model, whose text may be markdown. */
const MODEL = "agent";
const FEWEST_COLUMNS = 20;
const ERASE_ROW = "\r\u001b[K";
const ROW_UP = "\u001b[A";
const ASCII = /^[ -~]$/;

export class Screen {
  readonly #surface: Surface;
  /** Prefix of the text that was drawn last, and its state if it may be markdown; empty after other output. */
  #speaker = "";
  #markdown: Markdown | undefined;
  /** Prefix of the line that is not ended yet. */
  #open: string | undefined;
  #used = 0;
  /** Text of the row that is not ended yet. */
  #row = "";
  /** Place of the temporary words: a row of their own, or a row below the line that is not ended yet. */
  #state: "alone" | "below" | undefined;

  constructor(surface: Surface) {
    this.#surface = surface;
  }

  /** Draws a text as one complete line. */
  line(mark: string, text: string): void {
    this.fresh();
    this.#endSpeech();
    this.text(mark, `${text.replaceAll("\n", " ")}\n`);
  }

  /** Draws a text or a piece of a text. If a piece does not end with a line end, the next piece continues the line. */
  text(mark: string, text: string): void {
    if (this.#open !== mark) this.fresh();
    if (this.#speaker !== mark) {
      this.#speaker = mark;
      this.#markdown = this.#surface.isPainted && mark.startsWith(MODEL) ? new Markdown() : undefined;
    }
    for (const [index, piece] of text.split("\n").entries()) {
      if (index > 0) {
        this.#begin(mark);
        this.fresh();
      }
      if (piece === "") continue;
      this.#begin(mark);
      this.#flow(escapeInvisible(piece.replaceAll("\t", "    ")));
    }
  }

  /** Draws a line without a prefix and without changes. */
  verbatim(row: string): void {
    this.fresh();
    this.#endSpeech();
    this.#surface.write(`${row}\n`);
  }

  /** Draws the state of the work, which vanishes with the next output. */
  state(words: string): void {
    if (!this.#surface.isRewritable) return;
    this.#eraseState();
    const isOpen = this.#open !== undefined;
    const most = Math.max(FEWEST_COLUMNS, this.#surface.columns()) - 4;
    this.#surface.write(`${isOpen ? `\n${CONTINUED}` : "* "}${escapeInvisible(words).slice(0, most)}`);
    this.#state = isOpen ? "below" : "alone";
  }

  #eraseState(): void {
    if (this.#state === undefined) return;
    this.#surface.write(this.#state === "alone" ? ERASE_ROW : `${ERASE_ROW}${ROW_UP}${ERASE_ROW}${this.#row}`);
    this.#state = undefined;
  }

  /** Ends the current line if it is not ended yet. */
  fresh(): void {
    this.#eraseState();
    if (this.#open === undefined) return;
    this.#surface.write("\n");
    this.#markdown?.endLine();
    this.#open = undefined;
  }

  /** Ends the text of a speaker: what follows is another one. */
  #endSpeech(): void {
    this.#speaker = "";
    this.#markdown = undefined;
  }

  /** Returns whether a line is not ended yet, or a line with this prefix. */
  isOpen(mark = this.#open): boolean {
    return this.#open !== undefined && this.#open === mark;
  }

  #begin(mark: string): void {
    this.#eraseState();
    if (this.#open !== undefined) return;
    const painted = this.#surface.isPainted ? paint(mark) : mark;
    this.#surface.write(painted);
    this.#row = painted;
    this.#open = mark;
    this.#used = mark.length;
  }

  /** Draws words in one write. A word that does not fit begins a new row. */
  #flow(text: string): void {
    const most = Math.max(FEWEST_COLUMNS, this.#surface.columns()) - 2;
    let drawn = "";
    let present: Style = PLAIN;
    const add = (piece: string): void => {
      drawn += piece;
      this.#row += piece;
    };
    const set = (style: Style): void => {
      if (renderStyle(style) !== renderStyle(present)) add(renderStyle(style));
      present = style;
    };
    const startRow = (): void => {
      set(PLAIN);
      drawn += `\n${CONTINUED}`;
      this.#used = CONTINUED.length;
      this.#row = CONTINUED;
    };
    for (const word of text.match(/\S+\s*|\s+/gu) ?? []) {
      const columns = measure(word.trimEnd());
      if (columns <= most - CONTINUED.length && this.#used + columns > most) startRow();
      for (const character of word) {
        const own = measure(character);
        // A space after the last word of a row stays in that row, so that the rows can be joined again.
        if (this.#used + own > most && character !== " ") startRow();
        if (this.#markdown !== undefined) set(this.#markdown.style(character));
        add(character);
        this.#used += own;
      }
    }
    set(PLAIN);
    this.#surface.write(drawn);
  }
}

/** Colours by role, on marks and prompts alone, which no process can draw. */
const COLOURS: Readonly<Record<string, string>> = {
  agent: "32",
  loop: "35",
  "[tool]": "34",
  you: "1",
  command: "1",
  "*": "36",
  "capos:": "36",
};
const COLOUR_OF_QUESTION = "1;33";

/** Returns a mark or a prompt in the colour of its role. */
export function paint(mark: string): string {
  const [speaker = ""] = mark.split(/[ >]/u);
  return `\u001b[${COLOURS[speaker] ?? COLOUR_OF_QUESTION}m${mark}${renderStyle(PLAIN)}`;
}

/**
 * Returns the maximum width of a text in columns: on some terminals, a character outside of ASCII is two columns wide.
 */
function measure(text: string): number {
  let columns = 0;
  for (const character of text) columns += ASCII.test(character) ? 1 : 2;
  return columns;
}
