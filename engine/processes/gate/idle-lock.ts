// Locks a session that a login opened once its person has said nothing for long enough. A message, a command and the answer to a
// question are words of the person; keys that are not sent yet, results and what a loop asks are not.
import { runAfter } from "./deadline.ts";
import type { Said } from "./ports.ts";

export class IdleLock {
  readonly #lock: (why: string) => void;
  #isOpen = false;
  /** Milliseconds until the lock by the page, in the conversation's row; 0 if the page sets none. */
  #pageMs = 0;
  /** Milliseconds until the lock by the person's own choice; 0 if none. */
  #ownMs = 0;
  /** Time of the person's last input, by the machine's own clock. */
  #saidAt = 0;
  /** Questions that wait for an answer. */
  #waiting = 0;
  #disarm = () => {};

  /** `lock`: locks the session, for the reason that is put on record. */
  constructor(lock: (why: string) => void) {
    this.#lock = lock;
  }

  /** Milliseconds by the page, in the conversation's row; 0 if it sets none. */
  get pageMs(): number {
    return this.#pageMs;
  }

  /** The time that holds: the shorter one; 0: the session does not lock by itself. */
  get ms(): number {
    return Math.min(this.#pageMs || this.#ownMs, this.#ownMs || this.#pageMs);
  }

  /** Starts the timer after a login. */
  begin(pageMs: number): void {
    this.#isOpen = true;
    this.#pageMs = pageMs;
    this.touch();
  }

  /** The session is locked: the person's own time ends with the login. */
  end(): void {
    this.#isOpen = false;
    this.#ownMs = 0;
    this.#disarm();
  }

  /** The conversation is in another row. That is not a word of the person's: the time runs on from the last one. */
  moveTo(pageMs: number): void {
    this.#pageMs = pageMs;
    this.#arm();
  }

  /** The person's own time until the session locks; 0: none. */
  setOwn(ms: number): void {
    this.#ownMs = ms;
    this.touch();
  }

  /** The person has said something. */
  touch(): void {
    this.#saidAt = performance.now();
    this.#arm();
  }

  /** Returns the answer to a question. The lock waits for it, so that it never answers for the person; the question has a time limit of its own. */
  async waitWhileAsking(ask: () => Promise<Said | undefined>): Promise<Said | undefined> {
    this.#waiting += 1;
    let said: Said | undefined;
    try {
      said = await ask();
    } finally {
      this.#waiting -= 1;
      if (said !== undefined && said.answer !== "timedOut") this.touch();
      // A time that is over by now ends in the next turn of the loop: that nobody answered is the call's outcome, and not the lock.
      else this.#arm();
    }
    return said;
  }

  #arm(): void {
    this.#disarm();
    const { ms } = this;
    if (!this.#isOpen || ms === 0) return;
    const left = Math.max(0, this.#saidAt + ms - performance.now());
    this.#disarm = runAfter(left, () => this.#expire());
  }

  /** The time is over. */
  #expire(): void {
    if (this.#waiting > 0) return;
    this.#lock(this.ms === this.#pageMs ? "the page's idle time is over" : "nothing was typed for a while");
  }
}
