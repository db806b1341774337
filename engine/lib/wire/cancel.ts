// Defines how a call is cancelled while its handler runs. Without a JIT compiler, an AbortSignal for a call would cost
// as much as a whole decision. Calls therefore use the interface `Cancel`, which an AbortSignal satisfies too.

/** Shows to running work that it was cancelled. */
export interface Cancel {
  readonly aborted: boolean;
  readonly addEventListener: (type: "abort", heard: () => void) => void;
  readonly removeEventListener: (type: "abort", heard: () => void) => void;
}

/** A signal that its owner can fire once. */
export class Canceller implements Cancel {
  #isAborted = false;
  #heard: Set<() => void> | undefined;

  get aborted(): boolean {
    return this.#isAborted;
  }

  addEventListener(_type: "abort", heard: () => void): void {
    if (this.#isAborted) return;
    this.#heard ??= new Set();
    this.#heard.add(heard);
  }

  removeEventListener(_type: "abort", heard: () => void): void {
    this.#heard?.delete(heard);
  }

  abort(): void {
    if (this.#isAborted) return;
    this.#isAborted = true;
    // A listener may remove another listener while the listeners are called, so each is called only if it is still
    // registered.
    for (const one of [...(this.#heard ?? [])]) if (this.#heard?.delete(one) === true) one();
  }
}

/** A signal that fires as soon as one of several signals does. */
export class AnyCancel implements Cancel {
  readonly #all: readonly Cancel[];

  constructor(all: readonly Cancel[]) {
    this.#all = all;
  }

  get aborted(): boolean {
    for (let at = 0; at < this.#all.length; at += 1) if (this.#all[at]?.aborted === true) return true;
    return false;
  }

  /** Calls `heard` once for each signal that fires. */
  addEventListener(type: "abort", heard: () => void): void {
    for (let at = 0; at < this.#all.length; at += 1) this.#all[at]?.addEventListener(type, heard);
  }

  removeEventListener(type: "abort", heard: () => void): void {
    for (let at = 0; at < this.#all.length; at += 1) this.#all[at]?.removeEventListener(type, heard);
  }
}
