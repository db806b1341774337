// Draws lines with their speaker, as the console of an image does. Every text begins with the speaker's prefix, and every
// continuation of a long line begins with two spaces. So a text cannot look like the prompt or like the text of another
// speaker, however long it is.

import { escapeInvisible } from "../../lang/diagnostics/index.ts";
import { Markdown, PLAIN, renderStyle, type Style } from "./markdown.ts";
import { isDelimiter, layOutTable, MOST_CHARACTERS, MOST_ROWS } from "./table.ts";
import { countMostColumns } from "./width.ts";

/** Output to which the screen writes. */
export interface Surface {
  readonly write: (text: string) => void;
  /** Returns the width of the output in columns, which is at least 20. */
  readonly columns: () => number;
  /** Returns the height of the output in rows. */
  readonly rows: () => number;
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
const CLEAR = "\u001b[H\u001b[2J";
/** Escape sequences that turn the terminal's own wrapping of rows on and off. */
const [WRAPS, NEVER_WRAPS] = ["\u001b[?7h", "\u001b[?7l"];
/** Maximum number of drawn pieces of output that are kept to draw them again. */
const MOST_PIECES = 400;
/** Maximum characters of one kept piece. */
const MOST_PIECE = 16 * 1024;

/** Drawn output, kept so that a window of another size can show it again. */
type Piece =
  | {
      readonly kind: "text";
      readonly mark: string;
      /** A line or a table. */
      text: string;
      /** Markdown state at the beginning of the piece; `undefined` if the text is not markdown. */
      readonly markdown: Markdown | undefined;
      /** Whether the piece continues the text of the piece before. */
      readonly continues: boolean;
    }
  | { readonly kind: "verbatim"; readonly row: string }
  | { readonly kind: "entered"; readonly prompt: string; readonly line: string };

export class Screen {
  readonly #surface: Surface;
  /** Prefix of the text that is being drawn, such as `agent> `; empty after other output. */
  #speaker = "";
  /** Markdown state of this text; `undefined` if the text is not a model's, or attributes are not drawn. */
  #markdown: Markdown | undefined;
  /** Whether a line of the text with this prefix is already drawn. */
  #hasSpoken = false;
  /** Rows that are not drawn yet, because they may be a table. */
  #table = "";
  readonly #pieces: Piece[] = [];
  /** Prefix of the unfinished line; `undefined` if the last line is complete. */
  #open: string | undefined;
  #used = 0;
  /** Text of the unfinished row. */
  #row = "";
  /** Place of the temporary state text: its own row, or a row below the unfinished line. */
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
    const continuesTable = this.#speaker === mark && this.#table !== "";
    if (this.#open !== mark && !continuesTable) this.fresh();
    if (this.#speaker !== mark) {
      this.#endSpeech();
      this.#speaker = mark;
      this.#markdown = this.#surface.isPainted && mark.startsWith(MODEL) ? new Markdown() : undefined;
    }
    this.#drawLines(text);
  }

  #drawLines(text: string): void {
    for (const piece of text.match(/[^\n]*\n|[^\n]+/g) ?? []) {
      if (this.#isHeldBack(piece)) this.#holdBack(piece);
      else {
        this.#drawTable();
        this.#drawPiece(piece);
      }
    }
  }

  /** Draws a line of the present speaker, or a part of a line. */
  #drawPiece(piece: string): void {
    if (this.#open === undefined) {
      this.#note({ ...this.#speech(), text: "" });
      this.#begin();
    }
    const last = this.#pieces.at(-1);
    if (last?.kind === "text") last.text = `${last.text}${piece}`.slice(-MOST_PIECE);
    const line = piece.replace(/\n$/, "");
    this.#eraseState();
    if (line !== "") this.#flow(escapeInvisible(line.replaceAll("\t", "    ")));
    if (piece !== line) this.#endRow();
  }

  /** Returns whether a piece of a model's text may belong to a table: its line begins with `|`, and is not code. */
  #isHeldBack(piece: string): boolean {
    const continuesRow = this.#table !== "" && !this.#table.endsWith("\n");
    const isMarkdown = this.#markdown !== undefined && !this.#markdown.isBlock;
    return isMarkdown && this.#surface.isRewritable && this.#open === undefined && (continuesRow || piece[0] === "|");
  }

  #holdBack(piece: string): void {
    this.#table += piece;
    const rows = this.#table.replace(/\n$/, "").split("\n");
    const isOther = piece.endsWith("\n") && rows[1] !== undefined && !isDelimiter(rows[1]);
    if (isOther || rows.length > MOST_ROWS || this.#table.length > MOST_CHARACTERS) this.#drawTable();
  }

  /** Draws the rows that were held back. A table that fits is drawn in columns, all other rows as they were written. */
  #drawTable(): void {
    const held = this.#table;
    if (held === "") return;
    this.#table = "";
    const lines = held.replaceAll("\t", " ").split("\n").map(escapeInvisible);
    const rows = layOutTable(lines.join("\n"), this.#most() - CONTINUED.length);
    if (rows === undefined) {
      for (const piece of held.match(/[^\n]*\n|[^\n]+/g) ?? []) this.#drawPiece(piece);
      return;
    }
    this.#note({ ...this.#speech(), text: held });
    if (!this.#hasSpoken) {
      this.#begin();
      this.#endRow();
    }
    for (const row of rows) {
      this.#begin();
      this.#put(row);
      this.#endRow();
    }
  }

  #speech() {
    return {
      kind: "text",
      mark: this.#speaker,
      markdown: this.#markdown?.copy(),
      continues: this.#hasSpoken,
    } as const;
  }

  /** Draws a line without a prefix and without changes. */
  verbatim(row: string): void {
    this.fresh();
    this.#endSpeech();
    this.#note({ kind: "verbatim", row });
    this.#surface.write(`${row}\n`);
  }

  /** Stores a line that the person entered behind a prompt; the user interface has already drawn both. */
  noteEntered(prompt: string, line: string): void {
    this.#endSpeech();
    this.#note({ kind: "entered", prompt, line });
  }

  /** Forgets all drawn output, and drops output that is held back, because the next person must not see it. */
  forget(): void {
    this.#table = "";
    this.#endRow();
    this.#pieces.length = 0;
  }

  /** Clears the window, and draws its last rows again in the present size; at most `most` rows. */
  drawAgain(most: number): void {
    let drawn = "";
    const { columns, rows, isRewritable, isPainted } = this.#surface;
    const write = (text: string): void => {
      drawn += text;
    };
    const other = new Screen({ columns, rows, isRewritable, isPainted, write });
    for (const piece of this.#findLast(most)) other.#repeat(piece);
    // The next output continues an unfinished line at the end of its last row.
    if (this.#open === undefined) other.fresh();
    else [this.#used, this.#row] = [other.#used, other.#row];
    this.#state = undefined;
    const all = drawn.split("\n");
    this.#surface.write(`${CLEAR}${all.slice(Math.max(0, all.length - 1 - most)).join("\n")}`);
  }

  /**
   * Returns the last pieces, enough for `most` rows, or all pieces. More pieces are not drawn, because a long text takes much longer to
   * draw than a window.
   */
  #findLast(most: number): readonly Piece[] {
    const columns = this.#surface.columns();
    let [from, rows] = [this.#pieces.length, 0];
    for (; from > 0 && rows <= most; from -= 1) {
      const piece = this.#pieces[from - 1];
      rows += piece?.kind === "text" ? Math.max(1, Math.trunc(piece.text.length / columns)) : 1;
    }
    return this.#pieces.slice(from);
  }

  #repeat(piece: Piece): void {
    switch (piece.kind) {
      case "verbatim":
        this.verbatim(piece.row);
        break;
      case "entered":
        this.fresh();
        this.#endSpeech();
        this.#speaker = piece.prompt;
        this.#drawPiece(`${piece.line.replaceAll("\n", " ")}\n`);
        break;
      case "text":
        this.fresh();
        this.#speaker = piece.mark;
        this.#markdown = piece.markdown?.copy();
        this.#hasSpoken = piece.continues;
        this.#drawLines(piece.text);
        this.#drawTable();
    }
  }

  #note(piece: Piece): void {
    this.#pieces.push(piece);
    if (this.#pieces.length > MOST_PIECES) this.#pieces.shift();
  }

  /** Draws the state of the work; the next output erases it. */
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

  /** Ends the current line if it is unfinished. */
  fresh(): void {
    this.#drawTable();
    this.#endRow();
  }

  /** Ends the row of the cursor, but does not draw a table that is held back. */
  #endRow(): void {
    this.#eraseState();
    if (this.#open === undefined) return;
    this.#surface.write("\n");
    this.#markdown?.endLine();
    this.#open = undefined;
  }

  /** Ends the text of a speaker: later output begins a new text. */
  #endSpeech(): void {
    this.#speaker = "";
    this.#markdown = undefined;
    this.#hasSpoken = false;
  }

  /** Returns whether a line is unfinished; with `mark`, whether a line with this prefix is unfinished. */
  isOpen(mark = this.#open): boolean {
    return this.#open !== undefined && this.#open === mark;
  }

  /** Begins a line of the present speaker. On a terminal, further lines of a model's text have no mark of their own. */
  #begin(): void {
    this.#eraseState();
    if (this.#open !== undefined) return;
    const mark = this.#speaker;
    const isFurther = this.#hasSpoken && this.#surface.isRewritable && mark.startsWith(MODEL);
    const beginning = isFurther ? CONTINUED : mark;
    const painted = this.#surface.isPainted && !isFurther ? paint(mark) : beginning;
    this.#surface.write(painted);
    this.#row = painted;
    this.#open = mark;
    this.#used = beginning.length;
    this.#hasSpoken = true;
  }

  /** Returns the columns of a row that text may fill. */
  #most(): number {
    return Math.max(FEWEST_COLUMNS, this.#surface.columns()) - 2;
  }

  /**
   * Draws a row of a table. Terminals disagree on the width of some characters, so the row may be wider than the window. The terminal must
   * not wrap such a row, because the wrapped text could look like a line of the console.
   */
  #put(text: string): void {
    let drawn = "";
    let present: Style = PLAIN;
    for (const character of text) {
      const style = this.#markdown?.style(character) ?? PLAIN;
      if (renderStyle(style) !== renderStyle(present)) drawn += renderStyle(style);
      present = style;
      drawn += character;
    }
    const end = renderStyle(present) === renderStyle(PLAIN) ? "" : renderStyle(PLAIN);
    this.#surface.write(`${NEVER_WRAPS}${drawn}${end}${WRAPS}`);
  }

  /** Draws words in one write. A word that does not fit begins a new row. */
  #flow(text: string): void {
    const most = this.#most();
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
      const columns = countMostColumns(word.trimEnd());
      if (columns <= most - CONTINUED.length && this.#used + columns > most) startRow();
      for (const character of word) {
        const own = countMostColumns(character);
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

/** Colours of marks and prompts by their first word. No other text has colours, and no process can draw a mark. */
const COLOURS: Readonly<Record<string, string>> = {
  agent: "32",
  loop: "35",
  "[tool]": "34",
  you: "1",
  command: "1",
  "(search)": "1",
  "*": "36",
  "capos:": "36",
};
const COLOUR_OF_QUESTION = "1;33";

/** Returns a mark or a prompt in its colour, which depends on the first word. */
export function paint(mark: string): string {
  const [speaker = ""] = mark.split(/[ >]/u);
  return `\u001b[${COLOURS[speaker] ?? COLOUR_OF_QUESTION}m${mark}${renderStyle(PLAIN)}`;
}
