// Parses the log of QEMU's blklogwrites for a disk: every write and every flush, in order. The format is the format of
// the kernel's dm-log-writes. It begins with a sector that contains the number of entries. Each entry has a sector with
// its header, followed by the written sectors.

import { accept, type Result, refuse } from "../../../../engine/lib/result/result.ts";

/** Magic number of the format of QEMU's logs of writes. */
const MAGIC = 0x6a73_6677_7368_72n;
const VERSION = 1n;
const FLUSH = 1n;
const FUA = 2n;
const DISCARD = 4n;
/** Maximum bytes of a request. Requests to a virtual disk are much smaller. */
const MOST_BYTES = 64 * 1024 * 1024;

export interface WriteEntry {
  /** Offset in bytes from the start of the disk. */
  readonly offset: number;
  /** Written bytes; empty if nothing was written. */
  readonly bytes: Uint8Array;
  /** Number of bytes that became zero without being written. */
  readonly discarded: number;
  /** Whether all earlier writes were on the disk when this request completed. */
  readonly isFlush: boolean;
}

export function readWriteLog(log: Buffer): Result<readonly WriteEntry[]> {
  if (log.length < 512) return { ok: false, reason: "the log of writes has no head" };
  if (log.readBigUInt64LE(0) !== MAGIC || log.readBigUInt64LE(8) !== VERSION)
    return { ok: false, reason: "this is no log of writes" };
  const [count, sector] = [log.readBigUInt64LE(16), log.readUInt32LE(24)];
  if (sector !== 512 && sector !== 4096)
    return { ok: false, reason: `the log of writes has sectors of ${sector} bytes` };
  const entries: WriteEntry[] = [];
  let at = sector;
  for (let index = 0n; index < count; index += 1n) {
    const entry = readEntry(log, at, sector);
    if (!entry.ok) return refuse(`entry ${index} of the log of writes ${entry.reason}`);
    entries.push(entry.value);
    at += sector + Math.ceil(entry.value.bytes.length / sector) * sector;
  }
  return { ok: true, value: entries };
}

function readEntry(log: Buffer, at: number, sector: number): Result<WriteEntry> {
  if (at + 32 > log.length) return refuse("is missing");
  const [start, count, flags] = [0, 8, 16].map((place) => log.readBigUInt64LE(at + place));
  if (start === undefined || count === undefined || flags === undefined) return refuse("is missing");
  const [offset, length] = [Number(start) * sector, Number(count) * sector];
  if (!Number.isSafeInteger(offset) || length > MOST_BYTES * 16) return refuse("writes outside of any disk");
  const isFlush = (flags & (FLUSH | FUA)) !== 0n;
  if ((flags & DISCARD) !== 0n) return accept({ offset, bytes: new Uint8Array(0), discarded: length, isFlush });
  if (length > MOST_BYTES || at + sector + length > log.length) return refuse("is cut short");
  return accept({ offset, bytes: log.subarray(at + sector, at + sector + length), discarded: 0, isFlush });
}

/** Writes an entry to a disk in memory. */
export function apply(disk: Buffer, { offset, bytes, discarded }: WriteEntry): void {
  if (discarded > 0) disk.fill(0, offset, offset + discarded);
  else disk.set(bytes, offset);
}
