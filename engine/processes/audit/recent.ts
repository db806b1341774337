import type { AuditRecord } from "../../lib/wire/generated/audit.ts";

/** The location of a record in the log: offset and length in bytes. */
export interface RecordLocation {
  readonly offset: number;
  readonly length: number;
}

interface Kept extends RecordLocation {
  /**
   * The record's writer; `undefined` if every reader may see the record, as for boot records, which concern all
   * processes.
   */
  readonly writer: string | undefined;
}

/** Most records whose locations are kept; older records can only be read from a copy of the disk. */
const MAX_KEPT = 4096;
/** Most bytes of records in one answer, so that the records and the other fields of the answer fit into one frame. */
const MAX_TAIL_BYTES = 1000 * 1024;

/**
 * Remembers the locations of the newest records, and who may read them. Records of models' answers are not among them:
 * they can only be read from a copy of the disk.
 */
export class RecentRecords {
  #kept: Kept[] = [];

  add({ record, offset, length }: RecordLocation & { readonly record: AuditRecord }): void {
    if (record.entry.which === "inference") return;
    this.#kept.push({ offset, length, writer: record.entry.which === "boot" ? undefined : record.writer });
    if (this.#kept.length >= 2 * MAX_KEPT) this.#kept = this.#kept.slice(-MAX_KEPT);
  }

  /** Forgets the records before an offset, which were released. */
  dropBefore(offset: number): void {
    this.#kept = this.#kept.filter((kept) => kept.offset >= offset);
  }

  /** Returns the newest `count` records that are boot records or that the reader wrote itself, oldest first. */
  findRecent(reader: string, count: number): readonly RecordLocation[] {
    const spots: RecordLocation[] = [];
    let bytes = 0;
    for (let at = this.#kept.length - 1; at >= 0 && spots.length < count; at -= 1) {
      const spot = this.#kept[at];
      if (spot === undefined || (spot.writer ?? reader) !== reader) continue;
      bytes += spot.length;
      if (bytes > MAX_TAIL_BYTES) break;
      spots.push(spot);
    }
    return spots.reverse();
  }
}
