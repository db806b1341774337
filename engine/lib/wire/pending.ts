// Deadlines of the calls of one connection that wait for answers, with one timer for all. Setting and clearing a timer for each call
// costs as much as writing the call.

export interface TimedEntry {
  /** Time by the clock of this process; Infinity means no deadline. */
  readonly deadline: number;
  readonly expire: () => void;
}

/** Maximum number of milliseconds that a timer of Node accepts; a longer timer would fire at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

export class Deadlines {
  readonly #waiting: () => Iterable<TimedEntry>;
  #timer: NodeJS.Timeout | undefined;
  /** Time at which the timer fires next. */
  #next = Number.POSITIVE_INFINITY;

  /** `waiting` returns all calls that wait now. */
  constructor(waiting: () => Iterable<TimedEntry>) {
    this.#waiting = waiting;
  }

  /**
   * Returns the deadline this many milliseconds from now, and arms the timer. Calls that end early do not disarm the timer, which
   * then finds no expired call.
   */
  setDeadline(ms: number): number {
    const now = performance.now();
    const deadline = now + ms;
    if (deadline < this.#next) this.#arm(deadline, now);
    return deadline;
  }

  /** Stops the timer; to be called when no more calls can wait. */
  end(): void {
    clearTimeout(this.#timer);
  }

  #arm(next: number, now: number): void {
    clearTimeout(this.#timer);
    const ms = Math.min(Math.max(0, next - now), LONGEST_TIMER_MS);
    this.#next = now + ms;
    this.#timer = setTimeout(() => this.#look(), ms);
    // With `unref`, this timer does not keep the process alive. The socket through which answers come does this while
    // it has a peer.
    this.#timer.unref();
  }

  #look(): void {
    // A timer counts whole milliseconds, and may fire early by less than one.
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
