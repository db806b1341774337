/**
 * A search in older lines, like Ctrl-R in a shell: it only goes back in time. If the search text becomes empty, the search begins
 * again at the newest line.
 */
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

  /** The line that was found last; `undefined` if no line was found, or if the search text is empty. */
  get line(): string | undefined {
    return this.#line;
  }

  /** Whether the last step of the search found no line. */
  get isFailed(): boolean {
    return this.#isFailed;
  }

  /**
   * Adds typed text to the search text. If the last found line contains the longer search text, this line stays the
   * result; otherwise the search continues to the next older line that contains it.
   */
  extend(typed: string): void {
    this.#text += typed;
    this.#look(this.#at);
  }

  /** Removes the last character of the search text. */
  shorten(): void {
    this.#text = [...this.#text].slice(0, -1).join("");
    this.#look(this.#at);
  }

  /** Continues with the next older line that contains the search text. */
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
