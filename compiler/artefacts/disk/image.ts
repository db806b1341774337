// Reads the partition table of a data disk, from an image file or a device, and finds its partitions.

import type { Result } from "../../../engine/lib/result/result.ts";
import { measureSize } from "../../../engine/processes/audit/device.ts";
import { createReader, readOpened } from "../../host/files.ts";
import { type Partition, readTable, type Table } from "./gpt.ts";

/** Reads and validates the partition table of a disk. Fails if the disk cannot be read, or if its table is invalid. */
export function readDiskTable(path: string): Result<Table> {
  return readOpened(path, (file) => {
    const read = readTable(createReader(file), measureSize(file));
    return read.ok ? { ok: true, value: read.value } : { ok: false, reason: `${path}: ${read.reason}` };
  });
}

/**
 * Returns the only partition of a kind. Fails if the table of the disk is invalid, or if the disk has no such partition
 * or several.
 */
export function readPartition(path: string, kind: Partition["kind"], what: string): Result<Partition> {
  const read = readDiskTable(path);
  return read.ok ? findPartition(read.value, path, kind, what) : read;
}

/**
 * Returns the only partition of a kind in a table that was already read. Fails if there is no such partition, or more
 * than one. `path` is used in the error message only.
 */
export function findPartition(table: Table, path: string, kind: Partition["kind"], what: string): Result<Partition> {
  const found = table.partitions.filter((partition) => partition.kind === kind);
  const [one] = found;
  if (one !== undefined && found.length === 1) return { ok: true, value: one };
  return { ok: false, reason: `${path}: ${found.length === 0 ? "there is no" : "there is more than one"} ${what}` };
}
