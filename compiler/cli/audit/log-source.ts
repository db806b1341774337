// Opens an audit log: the audit partition of a data disk, encrypted or not, or a file with such a partition. Decrypted data is never
// written anywhere, and only `writeBlock` writes to the source.

import { closeSync, fstatSync, fsyncSync, openSync, readSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { accept, type Result, refuse } from "../../../engine/lib/result/result.ts";
import { type LogBytes, measureSize, readChunks } from "../../../engine/processes/audit/device.ts";
import { type Partition, type ReadAt, readTable, SECTOR } from "../../artefacts/disk/gpt.ts";
import { findPartition, readDiskTable } from "../../artefacts/disk/image.ts";
import { createPlainReader, restrictToPartition, type UnlockedVolume, unlock } from "../../artefacts/disk/luks.ts";
import { encryptSectors } from "../../artefacts/disk/luks-cipher.ts";
import { createReader, readOpened } from "../../host/files.ts";
import { AUDIT_FILE } from "../../trial/disk-folder.ts";

/** A range of a file or a device, or of the decrypted disk inside an encrypted partition. */
export interface LogSource {
  readonly path: string;
  readonly offset: number;
  readonly size: number;
  readonly locked?: Locked;
}

interface Locked {
  readonly partition: Partition;
  readonly unlocked: UnlockedVolume;
}

/**
 * Returns whether the source is a whole partition of a disk. Any other source is a file, which may be a partial copy of
 * a partition; its size counts as infinite.
 */
export function isDisk({ size }: LogSource): boolean {
  return Number.isFinite(size);
}

/**
 * Returns the audit partition if there is a partition table, and otherwise the whole file. For a folder that `capc try --disk` wrote,
 * returns the log in this folder. `passphrase` opens an encrypted disk.
 */
export function logIn(named: string, passphrase?: string): Result<LogSource> {
  const inFolder = findLogInFolder(named);
  if (inFolder?.ok === false) return inFolder;
  const path = inFolder?.value ?? named;
  const begin = readBeginning(path);
  if (!begin.ok) return begin;
  const isDisk = begin.value.toString("latin1", SECTOR, SECTOR + 8) === "EFI PART";
  if (!isDisk) return { ok: true, value: { path, offset: 0, size: Number.POSITIVE_INFINITY } };
  const table = readDiskTable(path);
  if (!table.ok) return table;
  const locked = table.value.partitions.find(({ kind }) => kind === "encrypted");
  if (locked !== undefined) return logInside(path, locked, passphrase);
  const audit = findPartition(table.value, path, "audit", "audit partition");
  return audit.ok ? { ok: true, value: { path, offset: audit.value.offset, size: audit.value.size } } : audit;
}

/** Returns the log in a folder; `undefined` if the path is not a folder. Fails if the folder has no log. */
function findLogInFolder(path: string): Result<string> | undefined {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return undefined;
  const log = join(path, AUDIT_FILE);
  if (statSync(log, { throwIfNoEntry: false })?.isFile() === true) return accept(log);
  return refuse(
    `${path} is a directory, not a file, and has no audit log; name the DIR of \`capc try --disk DIR\`, a data disk such as build/data.img, or an export`,
  );
}

function logInside(path: string, partition: Partition, passphrase: string | undefined): Result<LogSource> {
  if (passphrase === undefined)
    return { ok: false, reason: `${path} is encrypted; --passphrase-file FILE says with what` };
  return readOpened(path, (file) => {
    const readAt = restrictToPartition(createReader(file), partition);
    const unlocked = unlock(readAt, partition.size, Buffer.from(passphrase));
    if (!unlocked.ok) return { ok: false, reason: `${path}: ${unlocked.reason}` };
    const table = readTable(createPlainReader(readAt, unlocked.value), partition.size - unlocked.value.header.dataAt);
    if (!table.ok) return { ok: false, reason: `${path}: the disk inside: ${table.reason}` };
    const audit = findPartition(table.value, path, "audit", "audit partition inside");
    if (!audit.ok) return audit;
    const { offset, size } = audit.value;
    return { ok: true, value: { path, offset, size, locked: { partition, unlocked: unlocked.value } } };
  });
}

function readBeginning(path: string): Result<Buffer> {
  return readOpened(path, (file) => {
    const kind = fstatSync(file);
    if (!kind.isFile() && !kind.isBlockDevice()) return { ok: false, reason: `${path} is neither a file nor a disk` };
    const bytes = Buffer.alloc(2 * SECTOR);
    return { ok: true, value: bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0)) };
  });
}

/** Passes the bytes of a log to `work`. Throws errors of the operating system. */
export async function useLog<T>(
  { path, offset, size, locked }: LogSource,
  work: (log: LogBytes) => Promise<T> | T,
): Promise<T> {
  const file = openSync(path, "r");
  try {
    if (locked === undefined) {
      const length = Math.max(0, Math.min(size, measureSize(file) - offset));
      return await work({ size: length, chunks: (from, to) => readChunks(file, offset + from, offset + to) });
    }
    const readAt = createPlainReader(restrictToPartition(createReader(file), locked.partition), locked.unlocked);
    return await work({ size, chunks: (from, to) => readChunksInside(readAt, offset + from, offset + to) });
  } finally {
    closeSync(file);
  }
}

/**
 * Writes one block at an offset of the log, and returns after the disk has stored the block. Throws errors of the operating
 * system.
 */
export function writeBlock({ path, offset, locked }: LogSource, at: number, block: Uint8Array): void {
  const file = openSync(path, "r+");
  try {
    const place = locked === undefined ? undefined : encryptBlock(createReader(file), locked, offset + at, block);
    const [bytes, position] = place === undefined ? [block, offset + at] : [place.bytes, place.position];
    writeSync(file, bytes, 0, bytes.length, position);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Returns the encrypted sector that contains a block, and its offset in the disk. A sector has one block or several. */
function encryptBlock(readAt: ReadAt, { partition, unlocked }: Locked, at: number, block: Uint8Array) {
  const { sector, dataAt } = unlocked.header;
  const from = at - (at % sector);
  const plain = Buffer.from(createPlainReader(restrictToPartition(readAt, partition), unlocked)(from, sector));
  plain.set(block, at - from);
  const bytes = encryptSectors(plain, unlocked.key, sector, from / SECTOR);
  return { bytes, position: partition.offset + dataAt + from };
}

const CHUNK_BYTES = 256 * 1024;

function* readChunksInside(readAt: ReadAt, from: number, to: number): Generator<Uint8Array, void> {
  for (let at = from; at < to; at += CHUNK_BYTES) yield readAt(at, Math.min(CHUNK_BYTES, to - at));
}
