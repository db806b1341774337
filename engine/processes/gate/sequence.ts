/** Work of one gate, one after the other: each call is decided under the label that the one before it left. */
export class Sequence {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs this behind all that came before. Returns what it returns, and fails as it fails; what comes behind it runs all the same. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const running = this.#last.then(work);
    this.#last = running.catch(() => undefined);
    return running;
  }
}
