// Sends records from the disk to a collector, in order, and repeats until the collector confirms them. No writer waits
// for the shipper: records are written and acknowledged even if no collector accepts them.

import type { Result } from "../../../lib/result/result.ts";
import type { AuditRecord } from "../../../lib/wire/generated/audit.ts";
import type { VerifiedRecord } from "../verify.ts";
import { Backlog, type BacklogEntry } from "./backlog.ts";
import type { Origin } from "./otlp.ts";

/** Milliseconds that the shipper waits for further records, so that it sends them together. */
const GATHER_MS = 1000;
/** Milliseconds of the wait after the first failure; after each further failure the wait doubles, up to LAST_WAIT_MS. */
const FIRST_WAIT_MS = 1000;
const LAST_WAIT_MS = 60_000;

/** The operations that the shipper needs from its process. */
interface Outside {
  /** Sends one request to the collector. Fails unless it is certain that the collector has the records. */
  readonly send: (found: readonly VerifiedRecord[], origin: Origin, signal: AbortSignal) => Promise<Result<void>>;
  /** Reads records from the disk. */
  readonly read: (stored: readonly BacklogEntry[]) => Promise<Result<readonly VerifiedRecord[]>>;
  /** Writes into the log up to which sequence number the collector has all records. */
  readonly note: (through: bigint) => Promise<boolean>;
  /** Resolves after this many milliseconds, or at once when `signal` fires. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Returns the origin of the records, once it is known. */
  readonly origin: () => Origin;
}

export class Shipper {
  readonly #outside: Outside;
  readonly #backlog = new Backlog();
  readonly #stopping = new AbortController();
  #wake: () => void = () => {};
  #trouble = "";
  #running: Promise<void> = Promise.resolve();

  constructor(outside: Outside) {
    this.#outside = outside;
  }

  /**
   * Adds a record that is on the disk. The records found at the start must be added first, in their order, and then
   * each record that is written.
   */
  add(stored: Omit<BacklogEntry, "sequence"> & { readonly record: AuditRecord }): void {
    this.#backlog.add(stored);
    this.#wake();
  }

  /**
   * Adds a record that is older than all records added by `add`. Older records must be added in their order, before
   * `start`.
   */
  addOlder(stored: Omit<BacklogEntry, "sequence"> & { readonly record: AuditRecord }): void {
    this.#backlog.addOlder(stored);
  }

  /** Status for people: how many records the collector has, and the current fault. */
  get words(): string {
    const { through, size } = this.#backlog;
    const has = through === 0n ? "the collector has nothing yet" : `the collector has all up to ${through}`;
    const left = size === 0 ? "" : `; ${size} records are not shipped`;
    return `${has}${left}${this.#trouble === "" ? "" : `: ${this.#trouble}`}`;
  }

  start(): void {
    this.#backlog.joinOlder();
    this.#running = this.#run();
  }

  /**
   * Stops sending, and resolves when the last request has ended. Records that are not shipped yet are shipped at the next start of the
   * machine.
   */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wake();
    await this.#running;
    await this.#note("end");
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    let wait = FIRST_WAIT_MS;
    while (!signal.aborted) {
      const isThrough = await this.#shipSome();
      if (isThrough) {
        wait = FIRST_WAIT_MS;
        continue;
      }
      if (this.#backlog.size === 0) {
        await this.#waitForWork();
        await this.#outside.wait(GATHER_MS, signal);
      } else {
        await this.#outside.wait(wait, signal);
        wait = Math.min(2 * wait, LAST_WAIT_MS);
      }
    }
  }

  /** Sends the next records in one request. Returns false if there are none, or if they did not arrive. */
  async #shipSome(): Promise<boolean> {
    const stored = this.#backlog.getNextRecords();
    const last = stored.at(-1);
    if (last === undefined) return false;
    const found = await this.#outside.read(stored);
    const sent = found.ok ? await this.#send(found.value) : found;
    // A request under way when the machine stops may have arrived; its records are sent again.
    this.#trouble = sent.ok ? "" : sent.reason;
    if (!sent.ok) return false;
    this.#backlog.markShipped(last.sequence);
    await this.#note("running");
    return true;
  }

  #send(found: readonly VerifiedRecord[]): Promise<Result<void>> {
    return this.#outside.send(found, this.#outside.origin(), this.#stopping.signal);
  }

  async #note(moment: "end" | "running"): Promise<void> {
    const { through } = this.#backlog;
    if (this.#backlog.isNoteDue(moment) && (await this.#outside.note(through))) this.#backlog.markNoted();
  }

  #waitForWork(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    if (this.#backlog.size > 0 || this.#stopping.signal.aborted) resolve();
    return promise;
  }
}
