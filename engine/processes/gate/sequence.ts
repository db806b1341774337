/** Runs the work of one gate in sequence: each call is decided under the label that the previous call left. */
export class Sequence {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs work after all earlier work. Settles as the work does; later work runs whatever the result is. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const running = this.#last.then(work);
    this.#last = running.catch(() => undefined);
    return running;
  }
}
