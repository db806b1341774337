// A partition of a disk as a file of its own, for programs that know no partitions.

import { closeSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import type { Partition } from "./gpt.ts";

const CHUNK_BYTES = 1024 * 1024;

/** Leaves out what is zero: the copy takes no more room than what it holds. What the system refuses is thrown. */
export function copyPartition(disk: string, { offset, size }: Pick<Partition, "offset" | "size">, to: string): void {
  const from = openSync(disk, "r");
  const copy = openSync(to, "w");
  try {
    ftruncateSync(copy, size);
    const chunk = Buffer.alloc(CHUNK_BYTES);
    for (let at = 0; at < size; ) {
      const read = readSync(from, chunk, 0, Math.min(CHUNK_BYTES, size - at), offset + at);
      if (read === 0) return;
      const bytes = chunk.subarray(0, read);
      if (bytes.some((byte) => byte !== 0)) writeSync(copy, bytes, 0, read, at);
      at += read;
    }
  } finally {
    closeSync(copy);
    closeSync(from);
  }
}
