// Draws lines with their speaker, as the console of an image does: every line of a text begins with the speaker's mark, and a continued
// row begins with two blanks. So no text of any length can look like the prompt or like another speaker.

import { escapeInvisible } from "../../lang/diagnostics/index.ts";

/** Receives drawn text. */
export interface Surface {
  readonly write: (text: string) => void;
  /** Columns of a row; at least 20. */
  readonly columns: () => number;
}

const CONTINUED = "  ";
const FEWEST_COLUMNS = 20;
const ASCII = /^[ -~]$/;

export class Screen {
  readonly #surface: Surface;
  /** Mark of the open line. */
  #open: string | undefined;
  #used = 0;

  constructor(surface: Surface) {
    this.#surface = surface;
  }

  /** Draws a whole line. */
  line(mark: string, text: string): void {
    this.fresh();
    this.text(mark, `${text.replaceAll("\n", " ")}\n`);
  }

  /** Draws text that may come in pieces. A piece without a line end leaves the line open. */
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

  /** Draws a row unchanged. */
  verbatim(row: string): void {
    this.fresh();
    this.#surface.write(`${row}\n`);
  }

  /** Ends the open line, if there is one. */
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

  /** Draws words, and continues in another row before one that does not fit. */
  #flow(text: string): void {
    const most = Math.max(FEWEST_COLUMNS, this.#surface.columns()) - 2;
    for (const word of text.match(/\S+\s*|\s+/gu) ?? []) {
      const isLong = measure(word.trimEnd()) > most - CONTINUED.length;
      if (!isLong && this.#used + measure(word.trimEnd()) > most) this.#continue();
      for (const character of word) {
        const columns = measure(character);
        // A blank behind the last word stays in its row, so that the rows can be joined again.
        if (this.#used + columns > most && character !== " ") this.#continue();
        this.#surface.write(character);
        this.#used += columns;
      }
    }
  }

  #continue(): void {
    this.#surface.write(`\n${CONTINUED}`);
    this.#used = CONTINUED.length;
  }
}

/** Returns the columns of a text on any terminal: a character beyond ASCII may be two wide. */
function measure(text: string): number {
  let columns = 0;
  for (const character of text) columns += ASCII.test(character) ? 1 : 2;
  return columns;
}
