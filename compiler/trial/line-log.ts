// The lines of init's log, which processes read and wait for.

import type { LogLine } from "../../engine/lib/wire/generated/wire.ts";

/** Lines that are kept: a reader that falls behind further misses lines, as in an image. */
const MOST_LINES = 4096;
/** Lines of one response. */
const MOST_AT_ONCE = 64;

export class LineLog {
  #lines: LogLine[] = [];
  #last = 0n;
  #added = Promise.withResolvers<void>();

  add(text: string): void {
    this.#last += 1n;
    this.#lines.push({ sequence: this.#last, uptimeMs: BigInt(Math.trunc(performance.now())), text });
    if (this.#lines.length > MOST_LINES) this.#lines = this.#lines.slice(-MOST_LINES);
    this.#added.resolve();
    this.#added = Promise.withResolvers();
  }

  /** Waits until there is a line with a higher sequence, and returns such lines. */
  async readAfter(after: bigint): Promise<{ readonly lines: readonly LogLine[] }> {
    while (this.#last <= after) await this.#added.promise;
    return { lines: this.#lines.filter(({ sequence }) => sequence > after).slice(0, MOST_AT_ONCE) };
  }
}
