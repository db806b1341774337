import type { AuditRecord } from "../../../lib/wire/generated/audit.ts";
import { isOwn } from "./otlp.ts";

/** The sequence number of a record, and where the record is on the disk, in bytes. */
export interface BacklogEntry {
  readonly sequence: bigint;
  readonly offset: number;
  readonly length: number;
}

/** Most records of one request: collectors accept this many, and they fit through an endpoint. */
const MOST_RECORDS = 64;
const MOST_BYTES = 128 * 1024;
/**
 * Number of shipped records after which a record of the log states this progress; after a power cut at most this many
 * are sent twice.
 */
const NOTED_EVERY = 64;

/**
 * The records that the collector does not have yet. The backlog contains the locations of these records on the disk,
 * not the records. However long the collector is away, little memory is used and nothing is lost. The log's own
 * `shipped` records state up to which record the collector has acknowledged.
 */
export class Backlog {
  #left: BacklogEntry[] = [];
  #older: BacklogEntry[] = [];
  #through = 0n;
  /** The highest sequence number that a record of the log states as shipped. */
  #noted = 0n;
  /** Number of records shipped since the last logged progress, not counting records about shipping. */
  #unnoted = 0;
  readonly #own = new Set<bigint>();

  /**
   * Adds a record of the log. The records found at the start must be added first, in their order, and then each record
   * that is written.
   */
  add({ record, offset, length }: Omit<BacklogEntry, "sequence"> & { readonly record: AuditRecord }): void {
    const { sequence, entry } = record;
    if (isOwn(record)) this.#own.add(sequence);
    this.#left.push({ sequence, offset, length });
    if (entry.which !== "shipped") return;
    this.#noted = entry.shipped;
    if (entry.shipped > this.#through) this.#drop(entry.shipped);
  }

  /**
   * Adds a record that is older than all records added by `add`. Older records must be added in their order. A start
   * reads the newest records first, and older ones only if necessary.
   */
  addOlder({ record, offset, length }: Omit<BacklogEntry, "sequence"> & { readonly record: AuditRecord }): void {
    const { sequence } = record;
    if (isOwn(record)) this.#own.add(sequence);
    this.#older.push({ sequence, offset, length });
  }

  /** Puts the records that `addOlder` added before those that `add` added. `addOlder` must not be called after that. */
  joinOlder(): void {
    this.#left = [...this.#older, ...this.#left];
    this.#older = [];
  }

  /** Number of records that the collector does not have. */
  get size(): number {
    return this.#left.length;
  }

  get through(): bigint {
    return this.#through;
  }

  /**
   * Returns whether the progress of shipping should be recorded. When the machine stops, any unrecorded progress should be recorded.
   */
  isNoteDue(moment: "end" | "running"): boolean {
    return this.#through > this.#noted && this.#unnoted >= (moment === "end" ? 1 : NOTED_EVERY);
  }

  /** Returns the oldest records that the collector does not have, as many as one request takes. */
  getNextRecords(): readonly BacklogEntry[] {
    const some: BacklogEntry[] = [];
    let bytes = 0;
    for (const stored of this.#left) {
      bytes += stored.length;
      if (some.length > 0 && (some.length === MOST_RECORDS || bytes > MOST_BYTES)) break;
      some.push(stored);
    }
    return some;
  }

  /** Notes that the collector has all records up to this one. */
  markShipped(through: bigint): void {
    for (const { sequence } of this.#left) {
      if (sequence > through) break;
      if (!this.#own.has(sequence)) this.#unnoted += 1;
    }
    this.#drop(through);
  }

  /** Resets the count of records since the last logged progress, because the progress is on the disk. */
  markNoted(): void {
    this.#unnoted = 0;
  }

  #drop(through: bigint): void {
    this.#through = through;
    const first = this.#left.findIndex(({ sequence }) => sequence > through);
    this.#left.splice(0, first === -1 ? this.#left.length : first);
    for (const sequence of this.#own) if (sequence <= through) this.#own.delete(sequence);
  }
}
