/** A search in older lines, as Ctrl-R of a shell does it: it goes back in time only. Without text it is at the newest line again. */
export class HistorySearch {
  /** Older lines, each once, the newest first. */
  readonly #lines: readonly string[];
  #text: string;
  /** Index of the line that was found last. */
  #at = 0;
  #line: string | undefined;
  #isFailed = false;

  constructor(history: readonly string[], text: string) {
    this.#lines = [...new Set(history)];
    this.#text = text;
    this.#look(0);
  }

  get text(): string {
    return this.#text;
  }

  /** The line that was found last; `undefined` if none was, or if there is no text. */
  get line(): string | undefined {
    return this.#line;
  }

  /** Whether neither this line nor an older one has the text. */
  get isFailed(): boolean {
    return this.#isFailed;
  }

  /** Adds typed text. The line that was found stays, if it has the longer text; else an older one is looked for. */
  extend(typed: string): void {
    this.#text += typed;
    this.#look(this.#at);
  }

  /** Removes the last character of the text. */
  shorten(): void {
    this.#text = [...this.#text].slice(0, -1).join("");
    this.#look(this.#at);
  }

  /** Goes on to the next older line with the text. */
  pass(): void {
    this.#look(this.#at + 1);
  }

  #look(from: number): void {
    if (this.#text === "") {
      [this.#at, this.#line, this.#isFailed] = [0, undefined, false];
      return;
    }
    const found = this.#lines.findIndex((line, index) => index >= from && line.includes(this.#text));
    this.#isFailed = found < 0;
    if (found >= 0) [this.#at, this.#line] = [found, this.#lines[found]];
  }
}
