// Defines a small interface for cancelling calls. An AbortSignal satisfies it, but on engines without a JIT compiler,
// creating one takes as long as a whole decision.

/** Signal that work was cancelled. */
export interface Cancel {
  readonly aborted: boolean;
  readonly addEventListener: (type: "abort", heard: () => void) => void;
  readonly removeEventListener: (type: "abort", heard: () => void) => void;
}

/** A signal that its owner fires once. */
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
    // The set is copied, because a listener may remove another listener.
    for (const one of [...(this.#heard ?? [])]) if (this.#heard?.delete(one) === true) one();
  }
}

/** A signal that is aborted as soon as one of several signals is aborted. */
export class AnyCancel implements Cancel {
  readonly #all: readonly Cancel[];

  constructor(all: readonly Cancel[]) {
    this.#all = all;
  }

  get aborted(): boolean {
    for (let at = 0; at < this.#all.length; at += 1) if (this.#all[at]?.aborted === true) return true;
    return false;
  }

  /** Calls `heard` once for each signal that is aborted. */
  addEventListener(type: "abort", heard: () => void): void {
    for (let at = 0; at < this.#all.length; at += 1) this.#all[at]?.addEventListener(type, heard);
  }

  removeEventListener(type: "abort", heard: () => void): void {
    for (let at = 0; at < this.#all.length; at += 1) this.#all[at]?.removeEventListener(type, heard);
  }
}
