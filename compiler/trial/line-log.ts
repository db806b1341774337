// Stores the lines of init's log, so that processes can read them and wait for new ones.

import type { LogLine } from "../../engine/lib/wire/generated/wire.ts";

/** Maximum number of stored lines. As in an image, a new line replaces the oldest one if the log is full, so a slow reader misses lines. */
const MOST_LINES = 4096;
/** Maximum number of lines in one response. */
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

  /**
   * Waits until there is a line with a higher sequence number than `after`. Returns the lines after this number, up to
   * the maximum.
   */
  async readAfter(after: bigint): Promise<{ readonly lines: readonly LogLine[] }> {
    while (this.#last <= after) await this.#added.promise;
    return { lines: this.#lines.filter(({ sequence }) => sequence > after).slice(0, MOST_AT_ONCE) };
  }
}
