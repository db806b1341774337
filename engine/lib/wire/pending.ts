// Calls of one connection that wait for their answers, and the time that each of them has: one timer for all. To set one and take it
// back for each call costs as much as to write the call.

export interface TimedEntry {
  /** Time by the clock of this process; Infinity means no deadline. */
  readonly deadline: number;
  readonly expire: () => void;
}

/** Longest milliseconds that a timer of Node accepts; more would fire at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

export class Deadlines {
  readonly #waiting: () => Iterable<TimedEntry>;
  #timer: NodeJS.Timeout | undefined;
  /** When it fires. */
  #next = Number.POSITIVE_INFINITY;

  /** `waiting`: all that wait now. */
  constructor(waiting: () => Iterable<TimedEntry>) {
    this.#waiting = waiting;
  }

  /** Returns the deadline so many milliseconds from now, and arms the timer. Calls that end early do not disarm it: it then finds none. */
  setDeadline(ms: number): number {
    const now = performance.now();
    const deadline = now + ms;
    if (deadline < this.#next) this.#arm(deadline, now);
    return deadline;
  }

  /** Stops the timer; no call waits any more, and none will. */
  end(): void {
    clearTimeout(this.#timer);
  }

  #arm(next: number, now: number): void {
    clearTimeout(this.#timer);
    const ms = Math.min(Math.max(0, next - now), LONGEST_TIMER_MS);
    this.#next = now + ms;
    this.#timer = setTimeout(() => this.#look(), ms);
    // Answers come by a socket, which keeps the process alive as long as there is a peer to wait for.
    this.#timer.unref();
  }

  #look(): void {
    // A timer counts whole milliseconds, and may be early by less than one.
    const now = Math.max(performance.now(), this.#next);
    this.#next = Number.POSITIVE_INFINITY;
    let next = Number.POSITIVE_INFINITY;
    for (const one of [...this.#waiting()]) {
      if (one.deadline <= now) one.expire();
      else if (one.deadline < next) next = one.deadline;
    }
    if (next < this.#next) this.#arm(next, now);
  }
}
