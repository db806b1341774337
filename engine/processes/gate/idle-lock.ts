// Locks a session with a login after its person was idle for long enough. A message, a command and an answer to a question count as
// activity. Unsent keys, results and questions of a loop do not count.
import { runAfter } from "./deadline.ts";
import type { Said } from "./ports.ts";

export class IdleLock {
  readonly #lock: (why: string) => void;
  #isOpen = false;
  /** Milliseconds of idle time after which the page locks the session, in the conversation's row; 0 if the page sets none. */
  #pageMs = 0;
  /** Milliseconds of idle time that the person chose; 0 if the person chose none. */
  #ownMs = 0;
  /** Time of the person's last input, by a clock that nobody can set. */
  #saidAt = 0;
  /** Number of questions that wait for an answer. */
  #waiting = 0;
  #disarm = () => {};

  /** `lock` locks the session; its argument is the recorded reason. */
  constructor(lock: (why: string) => void) {
    this.#lock = lock;
  }

  /** Idle time in milliseconds that the page sets in the conversation's row; 0 if it sets none. */
  get pageMs(): number {
    return this.#pageMs;
  }

  /**
   * Returns the idle time that applies: the shorter one of the page's time and the person's own time. It is 0 if the
   * session does not lock by itself.
   */
  get ms(): number {
    return Math.min(this.#pageMs || this.#ownMs, this.#ownMs || this.#pageMs);
  }

  /** Starts the timer after a login. */
  begin(pageMs: number): void {
    this.#isOpen = true;
    this.#pageMs = pageMs;
    this.touch();
  }

  /** Stops the timer when the session is locked: the person's own time ends with the login. */
  end(): void {
    this.#isOpen = false;
    this.#ownMs = 0;
    this.#disarm();
  }

  /**
   * Sets the idle time of another row. A change of the row is not an action of the person: the idle time continues from
   * the last action.
   */
  moveTo(pageMs: number): void {
    this.#pageMs = pageMs;
    this.#arm();
  }

  /** Sets the person's own time until the session locks; 0 if the person sets none. */
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
   * Returns the answer to a question, or `undefined` if no person could be reached. The session does not lock before
   * the answer, so that a lock never counts as an answer. The question has its own time limit.
   */
  async waitWhileAsking(ask: () => Promise<Said | undefined>): Promise<Said | undefined> {
    this.#waiting += 1;
    let said: Said | undefined;
    try {
      said = await ask();
    } finally {
      this.#waiting -= 1;
      if (said !== undefined && said.answer !== "timedOut") this.touch();
      // If the idle time is over by now, the lock follows in the next turn of the event loop, after the call has ended without an answer.
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

  /** Locks the session when the idle time is over, unless a question is open. */
  #expire(): void {
    if (this.#waiting > 0) return;
    this.#lock(this.ms === this.#pageMs ? "the page's idle time is over" : "nothing was typed for a while");
  }
}
