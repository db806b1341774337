/** One turn of the conversation: from one line of a person to the next. Numbers only grow. */
export class Turn {
  readonly number: number;
  /** What a person denied; it stays denied for the turn. */
  readonly denied = new Set<string>();
  readonly #controller = new AbortController();

  constructor(number: number) {
    this.number = number;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  cancel(): void {
    this.#controller.abort();
  }
}
