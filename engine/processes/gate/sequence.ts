/** Runs the work of one gate one after the other: each call is decided under the conversation's label after the previous call. */
export class Sequence {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs work after all earlier work. The returned promise settles as the work does; later work runs even if this work fails. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const running = this.#last.then(work);
    this.#last = running.catch(() => undefined);
    return running;
  }
}
