// One answer at a time: the engine remembers one conversation. Callers of the next turn wait in line. A caller that does not
// use its turn loses it to them. Also who lost it says when it is over: until then the engine may compute for it.

/** A turn. Its holder calls `done` in any case, and may call it more than once. */
export interface Turn {
  readonly release: () => void;
  /** Announces that the holder waits for the model: until it is served, its turn does not time out. */
  readonly beginRequest: () => void;
  /** The model waits for the holder, once it has been served as often as it asked. */
  readonly endRequest: () => void;
  /** Fires when others wait and the holder has not been heard of. They begin once it is done. */
  readonly lost: AbortSignal;
}

/** Calls back after some time; gives what stops that. A test gives its own. */
export type Scheduler = (milliseconds: number, call: () => void) => () => void;

export const runAfterMs: Scheduler = (milliseconds, call) => {
  const timer = setTimeout(call, milliseconds);
  return () => clearTimeout(timer);
};

/** A loop asks for the next piece as soon as it has drawn the one before. How long the model takes over one does not count. */
const PATIENCE_MS = 30_000;

export class Turns {
  readonly #after: Scheduler;
  readonly #waiting: (() => void)[] = [];
  #holder: Held | undefined;

  constructor(after: Scheduler = runAfterMs) {
    this.#after = after;
  }

  /** Returns the turn, or `undefined` if `signal` aborts before it comes. */
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

  /** When the turn that is taken ends, or waiting is given up. */
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

  /** Starts the timeout when the first other holder waits. */
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
