import type { Notice } from "../../lib/wire/generated/wire.ts";

/**
 * Maximum number of notices that are sent and not answered. The console does not answer while a question of any session
 * is open. A connection has at most eight calls in flight, and a question and the wait for Ctrl-C must always be
 * possible.
 */
const MOST_SENT = 4;
/** Maximum number of notices that wait; beyond that the oldest are not drawn. The calls of these notices are recorded nevertheless. */
const MOST_WAITING = 128;

interface Waiting {
  readonly notice: Notice;
  readonly end: () => void;
}

/** Notices on their way to the console, in order. */
export class Announcements {
  readonly #send: (notice: Notice) => Promise<unknown>;
  readonly #waiting: Waiting[] = [];
  #sent = 0;
  #last: Promise<void> = Promise.resolve();

  /** `send` resolves when the console has drawn the notice, or when the console can no longer draw the notice. */
  constructor(send: (notice: Notice) => Promise<unknown>) {
    this.#send = send;
  }

  add(notice: Notice): void {
    this.#last = new Promise((end) => this.#waiting.push({ notice, end }));
    if (this.#waiting.length > MOST_WAITING) this.#waiting.shift()?.end();
    this.#sendWaiting();
  }

  /** Resolves when the newest notice is drawn, or can no longer be drawn. */
  waitUntilDrawn(): Promise<void> {
    return this.#last;
  }

  /** Drops the notices that still wait; they count as drawn. */
  drop(): void {
    for (const { end } of this.#waiting.splice(0)) end();
  }

  #sendWaiting(): void {
    while (this.#sent < MOST_SENT) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#sent += 1;
      void this.#send(next.notice).then(() => {
        this.#sent -= 1;
        next.end();
        this.#sendWaiting();
      });
    }
  }
}
