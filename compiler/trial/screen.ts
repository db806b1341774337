// Draws lines with their speaker, as the console of an image does. Every line of a text begins with the speaker's
// prefix, and every continuation of a long line begins with two spaces. So a text cannot look like the prompt or like
// the text of another speaker, however long it is.

import { escapeInvisible } from "../../lang/diagnostics/index.ts";

/** Output to which the screen writes. */
export interface Surface {
  readonly write: (text: string) => void;
  /** Returns the width of the output in columns, which is at least 20. */
  readonly columns: () => number;
}

const CONTINUED = "  ";
const FEWEST_COLUMNS = 20;
const ASCII = /^[ -~]$/;

export class Screen {
  readonly #surface: Surface;
  /** Prefix of the line that is not ended yet. */
  #open: string | undefined;
  #used = 0;

  constructor(surface: Surface) {
    this.#surface = surface;
  }

  /** Draws a text as one complete line. */
  line(mark: string, text: string): void {
    this.fresh();
    this.text(mark, `${text.replaceAll("\n", " ")}\n`);
  }

  /** Draws a text or a piece of a text. If a piece does not end with a line end, the next piece continues the line. */
  text(mark: string, text: string): void {
    if (this.#open !== mark) this.fresh();
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
    this.#surface.write(`${row}\n`);
  }

  /** Ends the current line if it is not ended yet. */
  fresh(): void {
    if (this.#open === undefined) return;
    this.#surface.write("\n");
    this.#open = undefined;
  }

  isOpen(mark: string): boolean {
    return this.#open === mark;
  }

  #begin(mark: string): void {
    if (this.#open !== undefined) return;
    this.#surface.write(mark);
    this.#open = mark;
    this.#used = mark.length;
  }

  /** Draws words in one write. A word that does not fit begins a new row. */
  #flow(text: string): void {
    const most = Math.max(FEWEST_COLUMNS, this.#surface.columns()) - 2;
    let drawn = "";
    const startRow = (): void => {
      drawn += `\n${CONTINUED}`;
      this.#used = CONTINUED.length;
    };
    for (const word of text.match(/\S+\s*|\s+/gu) ?? []) {
      const columns = measure(word.trimEnd());
      if (columns <= most - CONTINUED.length && this.#used + columns > most) startRow();
      for (const character of word) {
        const own = measure(character);
        // A space after the last word of a row stays in that row, so that the rows can be joined again.
        if (this.#used + own > most && character !== " ") startRow();
        drawn += character;
        this.#used += own;
      }
    }
    this.#surface.write(drawn);
  }
}

/**
 * Returns the maximum width of a text in columns: on some terminals, a character outside of ASCII is two columns wide.
 */
function measure(text: string): number {
  let columns = 0;
  for (const character of text) columns += ASCII.test(character) ? 1 : 2;
  return columns;
}
