// The system's log from init, kept for calls that ask for its newest lines, and watched for calls that wait for the next one. However
// many calls wait here, only one request for new lines is sent to init.

import type { Result } from "../../../lib/result/result.ts";
import { type LogLine, Supervisor } from "../../../lib/wire/generated/wire.ts";
import type { Connection, Reply } from "../../../lib/wire/index.ts";

/** Maximum number of lines that are kept here. init has a limit of its own for the lines that it keeps. */
const MAX_KEPT = 1000;

/** A call that waits for a line: it gets a matching line, or the reason why none will come. */
interface Watcher {
  readonly wants: (line: LogLine) => boolean;
  readonly tell: (line: Result<LogLine>) => void;
}

export class Journal {
  readonly #supervisor: Connection;
  readonly #watchers = new Set<Watcher>();
  #lines: LogLine[] = [];
  /** Sequence number of the newest known line; 0 if there is none. */
  #newest = 0n;
  /** Reason why no more lines come. */
  #ended: string | undefined;

  /** Begins to read at once, and reads until init no longer answers. */
  constructor(supervisor: Connection) {
    this.#supervisor = supervisor;
    void this.#follow();
  }

  /** Returns the newest lines, oldest first: at most `count`, and at most those kept. Waits for the first line if there is none. */
  async readTail(count: number, signal: AbortSignal): Promise<Result<readonly LogLine[]>> {
    const now = await this.#awaitNewestSequence(signal);
    if (!now.ok) return now;
    return { ok: true, value: count === 0 ? [] : this.#lines.slice(-Math.min(count, MAX_KEPT)) };
  }

  /**
   * Returns the first line with `pattern` that init adds to the log after this call. Fails if the log cannot be read,
   * or if `signal` aborts.
   */
  async waitForNext(pattern: string, signal: AbortSignal): Promise<Result<LogLine>> {
    const now = await this.#awaitNewestSequence(signal);
    if (!now.ok) return now;
    const wants = ({ sequence, text }: LogLine) => sequence > now.value && text.includes(pattern);
    const here = this.#lines.find(wants);
    return here === undefined ? await this.#watch(wants, signal) : { ok: true, value: here };
  }

  async #follow(): Promise<void> {
    while (this.#ended === undefined) {
      const reply = await this.#readAfter(this.#newest);
      if (reply.ok) this.#take(reply.value.lines);
      else this.#end(`the log cannot be read: ${reply.reason}`);
    }
  }

  #end(reason: string): void {
    this.#ended = reason;
    for (const { tell } of [...this.#watchers]) tell({ ok: false, reason });
  }

  #watch(wants: Watcher["wants"], signal: AbortSignal): Promise<Result<LogLine>> {
    if (this.#ended !== undefined) return Promise.resolve({ ok: false, reason: this.#ended });
    return new Promise((resolve) => {
      const giveUp = () => watcher.tell({ ok: false, reason: "nobody waits for it any more" });
      const tell = (line: Result<LogLine>) => {
        this.#watchers.delete(watcher);
        signal.removeEventListener("abort", giveUp);
        resolve(line);
      };
      const watcher: Watcher = { wants, tell };
      this.#watchers.add(watcher);
      signal.addEventListener("abort", giveUp, { once: true });
      if (signal.aborted) giveUp();
    });
  }

  /**
   * Returns init's newest sequence number, after all lines up to it have arrived. Init would not answer a request for
   * lines after the newest one until such a line exists. So the request begins one line earlier, and is answered at
   * once. Fails if the log cannot be read, or if `signal` aborts.
   */
  async #awaitNewestSequence(signal: AbortSignal): Promise<Result<bigint>> {
    const first = this.#newest > 0n ? undefined : await this.#watch(() => true, signal);
    if (first?.ok === false) return first;
    for (let newest = this.#newest; ; ) {
      const reply = await this.#readAfter(newest - 1n, signal);
      if (!reply.ok) return { ok: false, reason: `the log cannot be read: ${reply.reason}` };
      this.#take(reply.value.lines);
      const last = reply.value.lines.at(-1)?.sequence ?? newest;
      if (last <= newest) return { ok: true, value: newest };
      newest = last;
    }
  }

  #readAfter(after: bigint, signal?: AbortSignal): Promise<Reply<{ readonly lines: readonly LogLine[] }>> {
    return this.#supervisor.call(Supervisor.methods.readLog, { after }, signal === undefined ? {} : { signal });
  }

  /**
   * Adds the lines that are newer than all known ones, and ignores others. Two calls of init may return the same lines,
   * and the older answer may arrive later.
   */
  #take(lines: readonly LogLine[]): void {
    for (const line of lines) {
      if (line.sequence <= this.#newest) continue;
      this.#newest = line.sequence;
      this.#lines.push(line);
      for (const watcher of [...this.#watchers]) if (watcher.wants(line)) watcher.tell({ ok: true, value: line });
    }
    if (this.#lines.length >= 2 * MAX_KEPT) this.#lines = this.#lines.slice(-MAX_KEPT);
  }
}
