// Runs commands that have an effect one after the other, in the order in which they were typed. Without this queue,
// each command would end the work of the previous one. Commands that only show something or stop something never wait.

/** Maximum number of running and waiting commands, as many as the console sends before it gets an answer. */
const MAX_COMMANDS = 8;
const TOO_MANY = `${MAX_COMMANDS} commands wait already; this one is not taken`;
const GIVEN_UP = "it was given up before it began";

type Lines = readonly string[];

export class CommandQueue {
  #last: Promise<unknown> | undefined;
  #count = 0;
  #stops = new AbortController();

  /**
   * Runs a command once all commands that were queued before have ended, and returns its lines. Returns a reason
   * instead if the command was cancelled before that, or if too many commands wait.
   */
  async run(command: () => Lines | Promise<Lines>, signal: AbortSignal): Promise<Lines> {
    if (this.#count >= MAX_COMMANDS) return [TOO_MANY];
    this.#count += 1;
    const before = this.#last;
    const running = before === undefined ? command() : this.#runBehind(before, command, signal);
    // A cancelled command answers at once, but later commands still wait for earlier ones.
    const done = Promise.allSettled([before, running]);
    this.#last = done;
    try {
      return await running;
    } finally {
      this.#count -= 1;
      void done.then(() => this.#end(done));
    }
  }

  async #runBehind(
    before: Promise<unknown>,
    command: () => Lines | Promise<Lines>,
    signal: AbortSignal,
  ): Promise<Lines> {
    const givenUp = AbortSignal.any([signal, this.#stops.signal]);
    const aborted = new Promise((resolve) => givenUp.addEventListener("abort", resolve, { once: true }));
    if (!givenUp.aborted) await Promise.race([before, aborted]);
    return givenUp.aborted ? [GIVEN_UP] : command();
  }

  /** Stops the running command at the person's request; queued commands do not begin. */
  stop(): void {
    this.#stops.abort();
    this.#stops = new AbortController();
  }

  #end(done: Promise<unknown>): void {
    if (this.#last === done) this.#last = undefined;
  }
}
