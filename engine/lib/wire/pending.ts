// Manages the deadlines of all calls of a connection that wait for answers. They share one timer, because setting and
// clearing a timer for each call takes as long as encoding the call.

export interface TimedEntry {
  /** Deadline as a value of `performance.now()`; Infinity means no deadline. */
  readonly deadline: number;
  readonly expire: () => void;
}

/** Maximum milliseconds of a timer of Node; a timer with more would fire at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

export class Deadlines {
  readonly #waiting: () => Iterable<TimedEntry>;
  #timer: NodeJS.Timeout | undefined;
  /** Time at which the timer fires next. */
  #next = Number.POSITIVE_INFINITY;

  /** `waiting` returns all calls that currently wait. */
  constructor(waiting: () => Iterable<TimedEntry>) {
    this.#waiting = waiting;
  }

  /**
   * Returns the deadline this many milliseconds from now, and arms the timer. If a call ends early, the timer is not
   * stopped: it fires and finds no expired call.
   */
  setDeadline(ms: number): number {
    const now = performance.now();
    const deadline = now + ms;
    if (deadline < this.#next) this.#arm(deadline, now);
    return deadline;
  }

  /** Stops the timer permanently. Must be called only when no call waits. */
  end(): void {
    clearTimeout(this.#timer);
  }

  #arm(next: number, now: number): void {
    clearTimeout(this.#timer);
    const ms = Math.min(Math.max(0, next - now), LONGEST_TIMER_MS);
    this.#next = now + ms;
    this.#timer = setTimeout(() => this.#look(), ms);
    // The timer need not keep the process alive, because the socket does so while it has a peer.
    this.#timer.unref();
  }

  #look(): void {
    // A timer counts whole milliseconds, so it may fire up to a millisecond early.
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
