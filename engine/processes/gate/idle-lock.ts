// Locks a session with a login after its person has been idle for too long. A message, a command and an answer to a question count as
// activity. Keys that were not sent, results, and questions of a loop do not.
import { runAfter } from "./deadline.ts";
import type { Said } from "./ports.ts";

export class IdleLock {
  readonly #lock: (why: string) => void;
  #isOpen = false;
  /** Milliseconds until the lock, as the page sets it for the conversation's row; 0 if it sets none. */
  #pageMs = 0;
  /** Milliseconds until the lock, as the person has set it; 0 if the person has not. */
  #ownMs = 0;
  /** Time of the person's last input, by the monotonic clock. */
  #saidAt = 0;
  /** Number of questions that wait for an answer. */
  #waiting = 0;
  #disarm = () => {};

  /** `lock`: locks the session; its reason is recorded. */
  constructor(lock: (why: string) => void) {
    this.#lock = lock;
  }

  /** Milliseconds until the lock, as the page sets it for the conversation's row; 0 if it sets none. */
  get pageMs(): number {
    return this.#pageMs;
  }

  /** The effective time, which is the shorter one; 0 if the session does not lock without a command. */
  get ms(): number {
    return Math.min(this.#pageMs || this.#ownMs, this.#ownMs || this.#pageMs);
  }

  /** Starts the timer after a login. */
  begin(pageMs: number): void {
    this.#isOpen = true;
    this.#pageMs = pageMs;
    this.touch();
  }

  /** Stops the timer when the session is locked; the time that the person has set ends with the login. */
  end(): void {
    this.#isOpen = false;
    this.#ownMs = 0;
    this.#disarm();
  }

  /** Sets the idle time of another row. A move is not an action of the person, so the time since the last action continues. */
  moveTo(pageMs: number): void {
    this.#pageMs = pageMs;
    this.#arm();
  }

  /** Sets the person's own idle time in milliseconds; 0 removes it. */
  setOwn(ms: number): void {
    this.#ownMs = ms;
    this.touch();
  }

  /** Notes that the person was active. */
  touch(): void {
    this.#saidAt = performance.now();
    this.#arm();
  }

  /**
   * Returns the answer to a question. The lock waits for the answer, so that locking never answers for the person; the question has a
   * timeout of its own.
   */
  async waitWhileAsking(ask: () => Promise<Said | undefined>): Promise<Said | undefined> {
    this.#waiting += 1;
    let said: Said | undefined;
    try {
      said = await ask();
    } finally {
      this.#waiting -= 1;
      if (said !== undefined && said.answer !== "timedOut") this.touch();
      // If the time is over by now, lock in the next turn of the event loop. The outcome of the call is then a missing answer, not the
      // lock.
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

  /** Locks when the idle time is over, unless a question is open. */
  #expire(): void {
    if (this.#waiting > 0) return;
    this.#lock(this.ms === this.#pageMs ? "the page's idle time is over" : "nothing was typed for a while");
  }
}
