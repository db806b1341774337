import type { Notice } from "../wire/generated/wire.ts";

/**
 * Sent and not answered: the console draws nothing while a question stands, of whichever session. A connection has eight
 * places, and a question and the wait for Ctrl-C must always find one.
 */
const MOST_SENT = 4;
/** Waiting to be sent; of more, the oldest are not drawn. What was called is on record all the same. */
const MOST_WAITING = 128;

/** Notices on their way to the console, in order. Nobody waits for them. */
export class Announcements {
  readonly #send: (notice: Notice) => Promise<unknown>;
  readonly #waiting: Notice[] = [];
  #sent = 0;

  /** `send` resolves when the console has drawn it, or will not. */
  constructor(send: (notice: Notice) => Promise<unknown>) {
    this.#send = send;
  }

  add(notice: Notice): void {
    this.#waiting.push(notice);
    if (this.#waiting.length > MOST_WAITING) this.#waiting.shift();
    this.#sendWaiting();
  }

  #sendWaiting(): void {
    while (this.#sent < MOST_SENT) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#sent += 1;
      void this.#send(next).then(() => {
        this.#sent -= 1;
        this.#sendWaiting();
      });
    }
  }
}
