// Lets the model give one answer at a time, because the engine remembers one conversation. Other callers wait in line. A
// holder that does not use its turn loses the turn to a waiting caller. A holder that lost its turn must still release
// it,
// because until then the engine may compute for that holder.

/**
 * The time for which one caller, the holder, has the model for itself. The holder calls `release` in every case, and
 * may call it more than once.
 */
export interface Turn {
  readonly release: () => void;
  /** Announces that the holder waits for the model; until the model has answered, the turn does not time out. */
  readonly beginRequest: () => void;
  /** Announces that the model waits for the holder, after every request was answered. */
  readonly endRequest: () => void;
  /** Fires when other callers wait and the holder is idle. The waiting callers begin after the holder releases the turn. */
  readonly lost: AbortSignal;
}

/** Calls a function after some time, and returns a function that cancels it. A test passes its own timer. */
export type Scheduler = (milliseconds: number, call: () => void) => () => void;

export const runAfterMs: Scheduler = (milliseconds, call) => {
  const timer = setTimeout(call, milliseconds);
  return () => clearTimeout(timer);
};

/**
 * Idle time in milliseconds after which a holder loses its turn if others wait. It is long enough for a loop, which requests the next piece
 * as soon as it has drawn the previous one. The model's own time for a piece does not count.
 */
const PATIENCE_MS = 30_000;

export class Turns {
  readonly #after: Scheduler;
  readonly #waiting: (() => void)[] = [];
  #holder: Held | undefined;

  constructor(after: Scheduler = runAfterMs) {
    this.#after = after;
  }

  /** Waits until the turn is free, and returns it; returns `undefined` if `signal` aborts before that. */
  async acquire(signal: AbortSignal): Promise<Turn | undefined> {
    while (this.#holder !== undefined) {
      this.#holder.watch();
      await this.#free(signal);
      if (signal.aborted) return undefined;
    }
    if (signal.aborted) return undefined;
    const held = new Held(this.#after, () => this.#end(held));
    this.#holder = held;
    return held;
  }

  #end(held: Held): void {
    if (this.#holder !== held) return;
    this.#holder = undefined;
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Resolves when the current turn ends, or waiting is cancelled. */
  #free(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }
}

class Held implements Turn {
  readonly #after: Scheduler;
  readonly #end: () => void;
  readonly #lost = new AbortController();
  #stop: (() => void) | undefined;
  #isWatched = false;
  #asking = 0;
  #isOver = false;

  constructor(after: Scheduler, end: () => void) {
    this.#after = after;
    this.#end = end;
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Starts the timeout when the first other caller waits. */
  watch(): void {
    if (this.#isWatched) return;
    this.#isWatched = true;
    this.#wait();
  }

  beginRequest(): void {
    this.#asking += 1;
    this.#stop?.();
  }

  endRequest(): void {
    this.#asking -= 1;
    this.#wait();
  }

  release(): void {
    this.#isOver = true;
    this.#stop?.();
    this.#end();
  }

  #wait(): void {
    this.#stop?.();
    if (!this.#isWatched || this.#asking > 0 || this.#isOver) return;
    this.#stop = this.#after(PATIENCE_MS, () => {
      this.#isOver = true;
      this.#lost.abort();
    });
  }
}
