// Writes a disk image as qcow2, which QEMU and most clouds accept: the same disk without clusters of zeros. We have a writer of our own
// because the bytes must depend only on the disk; the bytes that qemu-img writes also depend on its version.

import { closeSync, openSync, readSync, writeSync } from "node:fs";

const MAGIC = 0x5146_49fb;
const VERSION = 3;
const HEADER = 104;
const CLUSTER_BITS = 16;
export const CLUSTER = 1 << CLUSTER_BITS;
/**
 * A reference count has 16 bits, and the header states the binary logarithm of this number. Reference counts are in
 * clusters of their own. An entry of a table with offsets of clusters has 8 bytes.
 */
const REFERENCE_ORDER = 4;
const COUNTS_IN_CLUSTER = CLUSTER / 2;
const ENTRIES_IN_CLUSTER = CLUSTER / 8;
/** Flag of a table entry that is the only reference to its cluster. */
const OWNED = 1n << 63n;

/**
 * Layout of the file, in clusters from the start. All tables come first, followed by the data in the order of the disk.
 */
interface Layout {
  readonly mapClusters: number;
  readonly mapTables: number;
  readonly counts: number;
  readonly countBlocks: number;
  readonly data: number;
  readonly end: number;
}

/** Writes the disk that `disk.file` contains to `out` as qcow2; the size of the disk is a multiple of 512. */
export function writeQcow2(disk: { readonly file: string; readonly size: number }, out: string): void {
  const [source, target] = [openSync(disk.file, "r"), openSync(out, "w")];
  try {
    const used = findUsedClusters(source, disk.size);
    const layout = computeLayout(disk.size, used.length);
    writeAt(target, encodeHeader(disk.size, layout), 0);
    writeAt(target, mapRoot(layout), CLUSTER);
    writeAt(target, mapTables(used, layout), (1 + layout.mapClusters) * CLUSTER);
    writeAt(target, countRoot(layout), layout.counts * CLUSTER);
    writeAt(target, encodeCounts(layout), (layout.counts + 1) * CLUSTER);
    const bytes = Buffer.alloc(CLUSTER);
    for (const [index, cluster] of used.entries())
      writeAt(target, readCluster(source, cluster, bytes), (layout.data + index) * CLUSTER);
  } finally {
    closeSync(source);
    closeSync(target);
  }
}

/** Returns the numbers of the clusters that are not all zeros. */
function findUsedClusters(source: number, size: number): readonly number[] {
  const [zeros, bytes] = [Buffer.alloc(CLUSTER), Buffer.alloc(CLUSTER)];
  const all = Array.from({ length: Math.ceil(size / CLUSTER) }, (_, index) => index);
  return all.filter((index) => !readCluster(source, index, bytes).equals(zeros));
}

/** Reads a cluster into `bytes`; the last one is padded with zeros. */
function readCluster(source: number, index: number, bytes: Buffer): Buffer {
  let done = 0;
  for (let read = 1; done < CLUSTER && read > 0; done += read)
    read = readSync(source, bytes, done, CLUSTER - done, index * CLUSTER + done);
  return bytes.fill(0, done);
}

function computeLayout(size: number, used: number): Layout {
  const mapTables = Math.ceil(size / CLUSTER / ENTRIES_IN_CLUSTER);
  const mapClusters = Math.ceil(mapTables / ENTRIES_IN_CLUSTER);
  const counts = 1 + mapClusters + mapTables;
  // Each cluster of the file has a reference count, also the clusters in which these counts are stored.
  let countBlocks = 1;
  while (counts + 1 + countBlocks + used > countBlocks * COUNTS_IN_CLUSTER) countBlocks += 1;
  const data = counts + 1 + countBlocks;
  return { mapClusters, mapTables, counts, countBlocks, data, end: data + used };
}

function encodeHeader(size: number, { mapTables, counts }: Layout): Buffer {
  const bytes = Buffer.alloc(CLUSTER);
  bytes.writeUInt32BE(MAGIC, 0);
  bytes.writeUInt32BE(VERSION, 4);
  bytes.writeUInt32BE(CLUSTER_BITS, 20);
  bytes.writeBigUInt64BE(BigInt(size), 24);
  bytes.writeUInt32BE(mapTables, 36);
  bytes.writeBigUInt64BE(BigInt(CLUSTER), 40);
  bytes.writeBigUInt64BE(BigInt(counts * CLUSTER), 48);
  bytes.writeUInt32BE(1, 56);
  bytes.writeUInt32BE(REFERENCE_ORDER, 96);
  bytes.writeUInt32BE(HEADER, 100);
  return bytes;
}

function mapRoot({ mapClusters, mapTables }: Layout): Buffer {
  return encodeEntries(mapClusters, mapTables, (index) => BigInt((1 + mapClusters + index) * CLUSTER) | OWNED);
}

function mapTables(used: readonly number[], { mapTables: tables, data }: Layout): Buffer {
  const bytes = Buffer.alloc(tables * CLUSTER);
  for (const [index, cluster] of used.entries())
    bytes.writeBigUInt64BE(BigInt((data + index) * CLUSTER) | OWNED, cluster * 8);
  return bytes;
}

function countRoot({ counts, countBlocks }: Layout): Buffer {
  return encodeEntries(1, countBlocks, (index) => BigInt((counts + 1 + index) * CLUSTER));
}

/** Returns the reference counts, which are 1 for every cluster of the file. */
function encodeCounts({ countBlocks, end }: Layout): Buffer {
  const bytes = Buffer.alloc(countBlocks * CLUSTER);
  for (let cluster = 0; cluster < end; cluster += 1) bytes.writeUInt16BE(1, cluster * 2);
  return bytes;
}

function encodeEntries(clusters: number, count: number, entry: (index: number) => bigint): Buffer {
  const bytes = Buffer.alloc(clusters * CLUSTER);
  for (let index = 0; index < count; index += 1) bytes.writeBigUInt64BE(entry(index), index * 8);
  return bytes;
}

function writeAt(file: number, bytes: Buffer, at: number): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, at + done);
}
