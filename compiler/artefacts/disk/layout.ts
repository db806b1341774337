// Computes the layout of a new data disk. `engine/image/init/src/gpt/layout.rs` defines the same layout.

import type { Partition, Table } from "./gpt.ts";

const MIB = 1024 * 1024;

const AUDIT_NAME = "capos-audit";

/** Minimum size of a disk: 8 MiB for the audit, 22 MiB for files, and 1 MiB at each end. */
export const SMALLEST_DISK = 32 * MIB;

/**
 * The audit partition has the size of the disk divided by this number, up to a maximum. The maximum exists because the
 * whole audit is verified at each start.
 */
const AUDIT_SHARE = 4;
const LEAST_AUDIT = 8 * MIB;
const MOST_AUDIT = 64 * MIB;

/**
 * Numbers of the partitions for the audit and for files. The numbers 1 and 2 are reserved for two versions of the
 * system, between which updates will alternate. Readers find partitions by name, not by number.
 */
const AUDIT_NUMBER = 3;
const FILES_NUMBER = 4;

/** Identifiers of the disk, of the audit partition and of the files partition. */
interface Identifiers {
  readonly disk: string;
  readonly audit: string;
  readonly files: string;
}

/**
 * Returns the partition table of a new disk with `size` bytes. The first and the last MiB contain only this table. A disk counts as blank
 * if its first and its last MiB contain only zeros.
 */
export function layOut(
  size: number,
  name: string,
  identifiers: Identifiers,
): Table & { readonly audit: Partition; readonly files: Partition } {
  const share = Math.floor(size / AUDIT_SHARE / MIB) * MIB;
  const auditSize = Math.min(Math.max(share, LEAST_AUDIT), MOST_AUDIT);
  const end = Math.floor(size / MIB) * MIB - MIB;
  const audit: Partition = {
    number: AUDIT_NUMBER,
    kind: "audit",
    id: identifiers.audit,
    name: AUDIT_NAME,
    offset: MIB,
    size: auditSize,
  };
  const offset = MIB + auditSize;
  const files: Partition = {
    number: FILES_NUMBER,
    kind: "files",
    id: identifiers.files,
    name,
    offset,
    size: end - offset,
  };
  return { disk: identifiers.disk, partitions: [audit, files], audit, files };
}
