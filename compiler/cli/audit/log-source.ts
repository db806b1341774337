// Where an audit log is read from: the audit partition of a data disk, or a file that holds such a partition. What was named
// is never written to.

import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { chunksOf } from "../../../engine/audit/device.ts";
import { SECTOR } from "../disk/gpt.ts";
import { partitionOf } from "../disk/image.ts";
import { type FileRead, readOpened } from "../files.ts";

/** A stretch of a file or a device. */
export interface LogSource {
  readonly path: string;
  readonly offset: number;
  readonly size: number;
}

/** The audit partition where there is a partition table, otherwise all of it. */
export function logIn(path: string): FileRead<LogSource> {
  const begin = beginning(path);
  if (!begin.ok) return begin;
  const isDisk = begin.value.toString("latin1", SECTOR, SECTOR + 8) === "EFI PART";
  if (!isDisk) return { ok: true, value: { path, offset: 0, size: Number.POSITIVE_INFINITY } };
  const audit = partitionOf(path, "audit", "audit partition");
  return audit.ok ? { ok: true, value: { path, offset: audit.value.offset, size: audit.value.size } } : audit;
}

function beginning(path: string): FileRead<Buffer> {
  return readOpened(path, (file) => {
    const kind = fstatSync(file);
    if (kind.isDirectory()) return { ok: false, reason: `${path} is a directory, not a file` };
    if (!kind.isFile() && !kind.isBlockDevice()) return { ok: false, reason: `${path} is neither a file nor a disk` };
    const bytes = Buffer.alloc(2 * SECTOR);
    return { ok: true, value: bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0)) };
  });
}

/** Gives `work` the bytes of a log, chunk by chunk. What the system refuses is thrown. */
export async function withChunks<T>(
  { path, offset, size }: LogSource,
  work: (chunks: Iterable<Uint8Array>) => Promise<T> | T,
): Promise<T> {
  const file = openSync(path, "r");
  try {
    return await work(chunksOf(file, offset, size));
  } finally {
    closeSync(file);
  }
}
