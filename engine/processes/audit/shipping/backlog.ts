import type { AuditRecord } from "../../../lib/wire/generated/audit.ts";
import { isOwn } from "./otlp.ts";

/** A record that is on the disk. */
export interface BacklogEntry {
  readonly sequence: bigint;
  readonly offset: number;
  readonly length: number;
}

/** Most records of one request: a collector accepts so many without complaint, and an endpoint carries them. */
const MOST_RECORDS = 64;
const MOST_BYTES = 128 * 1024;
/** Records after which progress is noted; after a power cut at most so many are sent twice. */
const NOTED_EVERY = 64;

/**
 * The records that the collector does not have yet. It holds their places on the disk, not the records: little memory is used and nothing
 * is lost, however long the collector is away. The log's own `shipped` records say how far the collector came.
 */
export class Backlog {
  readonly #left: BacklogEntry[] = [];
  #through = 0n;
  /** Sequence up to which the log notes the progress. */
  #noted = 0n;
  /** Records shipped since the last note, without those that shipping itself makes. */
  #unnoted = 0;
  readonly #own = new Set<bigint>();

  /** All records of the log, in order: those that are found at the start, and those that are written. */
  add({ record, offset, length }: Omit<BacklogEntry, "sequence"> & { readonly record: AuditRecord }): void {
    const { sequence, entry } = record;
    if (isOwn(record)) this.#own.add(sequence);
    this.#left.push({ sequence, offset, length });
    if (entry.which !== "shipped") return;
    this.#noted = entry.shipped;
    if (entry.shipped > this.#through) this.#drop(entry.shipped);
  }

  /** Records that the collector does not have. */
  get size(): number {
    return this.#left.length;
  }

  get through(): bigint {
    return this.#through;
  }

  /** Whether the place is worth a record of its own. At the end one is due for anything that was not noted. */
  isNoteDue(moment: "end" | "running"): boolean {
    return this.#through > this.#noted && this.#unnoted >= (moment === "end" ? 1 : NOTED_EVERY);
  }

  /** The oldest of them, as many as are sent together. */
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

  /** The collector has all up to this record. */
  markShipped(through: bigint): void {
    for (const { sequence } of this.#left) {
      if (sequence > through) break;
      if (!this.#own.has(sequence)) this.#unnoted += 1;
    }
    this.#drop(through);
  }

  /** Resets the count of unnoted records: the progress is on the disk. */
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
