// Encodes the partition table of a data disk (GPT) in one form and parses it as untrusted input. `engine/image/init/src/gpt.rs` refuses
// the same tables; the tests of both use the same disks.

import { crc32 } from "node:zlib";
import type { Result } from "../../../engine/lib/result/result.ts";

export const SECTOR = 512;
const ENTRIES = 128;
const ENTRY = 128;
const TABLE_BYTES = ENTRIES * ENTRY;
const TABLE_SECTORS = TABLE_BYTES / SECTOR;
const HEADER_BYTES = 92;
const REVISION = 0x0001_0000;
/** Number of sectors before the first usable one: protective MBR, header, entries. */
const FIRST_USABLE = 2 + TABLE_SECTORS;
const ALIGNMENT = 4096;
/** Maximum length of a partition's name, in UTF-16 code units. */
const MOST_NAME = 36;

/** Partition types by their GUID: Linux file system, LUKS, and capc's own type for audit blocks. */
const KINDS = {
  files: "0FC63DAF-8483-4772-8E79-3D69D8477DE4",
  encrypted: "CA7D7CCB-63ED-4C53-861C-1742536059CC",
  audit: "9DAAB195-25A0-491C-8347-84DBC2222882",
} as const;
type Kind = keyof typeof KINDS;

export interface Partition {
  /** Position in the table, counted from 1. */
  readonly number: number;
  /** Kind of the partition, or `undefined` if its type is not one of `KINDS`. */
  readonly kind: Kind | undefined;
  /** Identifier in its usual text form of 36 characters. */
  readonly id: string;
  readonly name: string;
  /** Offset in bytes from the start of the disk, and the size in bytes. */
  readonly offset: number;
  readonly size: number;
}

export interface Table {
  readonly disk: string;
  readonly partitions: readonly Partition[];
}

/** Returns `length` bytes of a disk at `offset`, or fewer if the disk ends before the end of this range. */
export type ReadAt = (offset: number, length: number) => Uint8Array;

/** Returns the first and the last sectors of a disk of this size, which contain all bytes of the table. */
export function encodeTable(table: Table, size: number): { readonly first: Buffer; readonly second: Buffer } {
  const last = Math.floor(size / SECTOR) - 1;
  const entries = Buffer.alloc(TABLE_BYTES);
  for (const partition of table.partitions) encodeEntry(partition).copy(entries, (partition.number - 1) * ENTRY);
  const first = [
    createProtectiveMbr(last),
    encodeHeader({ disk: table.disk, own: 1, other: last, at: 2, last, entries }),
    entries,
  ];
  const at = last - TABLE_SECTORS;
  return {
    first: Buffer.concat(first),
    second: Buffer.concat([entries, encodeHeader({ disk: table.disk, own: last, other: 1, at, last, entries })]),
  };
}

/** Reads and validates both copies of the partition table. Fails if one of them is invalid, or if they differ. */
export function readTable(readAt: ReadAt, size: number): Result<Table> {
  try {
    return { ok: true, value: parseTable(readAt, Math.floor(size / SECTOR)) };
  } catch (error) {
    if (error instanceof Fault) return { ok: false, reason: error.message };
    throw error;
  }
}

/** Error about an invalid table: the validation throws it, and this file catches it. */
class Fault extends Error {}

function parseTable(readAt: ReadAt, sectors: number): Table {
  const readSector = (number: number): Buffer => readExactly(readAt, number * SECTOR, SECTOR);
  demand(sectors > FIRST_USABLE + TABLE_SECTORS, "the disk is too small for a partition table");
  demand(isProtection(readSector(0)), "its first sector does not protect a partition table");
  const read = (own: number, where: string) =>
    readHeader(readAt, { bytes: readSector(own), own, sectors, what: `the table at its ${where}` });
  const first = read(1, "start");
  const second = read(sectors - 1, "end");
  const isSame = first.disk === second.disk && first.entries.equals(second.entries);
  demand(isSame, "the tables at its start and its end differ");
  return { disk: first.disk, partitions: parsePartitions(first.entries, sectors) };
}

/**
 * A sector that should hold a header of a partition table. The header must state the number of this sector, `own`, and
 * fit a disk of `sectors` sectors. `what` names the table in error messages.
 */
interface HeaderSector {
  readonly bytes: Buffer;
  readonly own: number;
  readonly sectors: number;
  readonly what: string;
}

function readHeader(readAt: ReadAt, { bytes, own, sectors, what }: HeaderSector) {
  demand(bytes.toString("latin1", 0, 8) === "EFI PART", `${what}: there is none`);
  const summed = Buffer.from(bytes.subarray(0, HEADER_BYTES));
  summed.fill(0, 16, 20);
  demand(crc32(summed) === bytes.readUInt32LE(16), `${what}: the checksum of its header is another`);
  const form = [8, 12, 20, 80, 84].map((at) => bytes.readUInt32LE(at));
  demand(isSameList(form, [REVISION, HEADER_BYTES, 0, ENTRIES, ENTRY]), `${what}: it has another form than ours`);
  const last = sectors - 1;
  const [other, at] = own === 1 ? [last, 2] : [1, last - TABLE_SECTORS];
  const places = [24, 32, 40, 48, 72].map((place) => number64(bytes, place));
  const wanted = [own, other, FIRST_USABLE, last - TABLE_SECTORS - 1, at];
  demand(isSameList(places, wanted), `${what}: it is not the table of a disk of this size`);
  const entries = readExactly(readAt, at * SECTOR, TABLE_BYTES);
  demand(crc32(entries) === bytes.readUInt32LE(88), `${what}: the checksum of its entries is another`);
  return { disk: readGuid(bytes, 56), entries };
}

function parsePartitions(entries: Buffer, sectors: number): readonly Partition[] {
  const found: Partition[] = [];
  for (let index = 0; index < ENTRIES; index += 1) {
    const entry = entries.subarray(index * ENTRY, (index + 1) * ENTRY);
    if (entry.subarray(0, 16).every((byte) => byte === 0)) continue;
    const one = parsePartition(entry, index + 1, sectors);
    for (const other of found) {
      const both = `partitions ${other.number} and ${one.number}`;
      const isApart = one.offset >= other.offset + other.size || other.offset >= one.offset + one.size;
      demand(isApart, `${both} overlap`);
      demand(one.name !== other.name && one.id !== other.id, `${both} have one name`);
    }
    found.push(one);
  }
  return found;
}

function parsePartition(entry: Buffer, number: number, sectors: number): Partition {
  const [first, last] = [number64(entry, 32), number64(entry, 40)];
  const isInside = first >= FIRST_USABLE && last >= first && last <= sectors - 2 - TABLE_SECTORS;
  demand(isInside, `partition ${number}: it leaves the room that the disk has`);
  const [offset, size] = [first * SECTOR, (last - first + 1) * SECTOR];
  const isAligned = offset % ALIGNMENT === 0 && size % ALIGNMENT === 0;
  demand(isAligned, `partition ${number}: it does not begin and end at multiples of ${ALIGNMENT} bytes`);
  const [name = "", ...rest] = entry.toString("utf16le", 56).split("\0");
  demand(/^[A-Za-z0-9_][A-Za-z0-9._-]*$/.test(name), `partition ${number}: its name is not plain`);
  demand(rest.join("") === "", `partition ${number}: bytes stand behind its name`);
  const type = readGuid(entry, 0);
  const kind = (Object.keys(KINDS) as Kind[]).find((one) => KINDS[one] === type);
  return { number, kind, id: readGuid(entry, 16), name, offset, size };
}

function encodeEntry({ kind, id, name, offset, size }: Partition): Buffer {
  const entry = Buffer.alloc(ENTRY);
  if (kind !== undefined) encodeGuid(KINDS[kind]).copy(entry, 0);
  encodeGuid(id).copy(entry, 16);
  entry.writeBigUInt64LE(BigInt(offset / SECTOR), 32);
  entry.writeBigUInt64LE(BigInt((offset + size) / SECTOR - 1), 40);
  entry.write(name.slice(0, MOST_NAME), 56, "utf16le");
  return entry;
}

/**
 * Content of a header of a partition table: the GUID of the disk, the positions of both headers (`own`, `other`), of
 * the entries (`at`) and of the last sector, and the entries themselves, for their checksum.
 */
interface HeaderFacts {
  readonly disk: string;
  readonly own: number;
  readonly other: number;
  readonly at: number;
  readonly last: number;
  readonly entries: Buffer;
}

function encodeHeader({ disk, own, other, at, last, entries }: HeaderFacts): Buffer {
  const bytes = Buffer.alloc(SECTOR);
  bytes.write("EFI PART", "latin1");
  const places = { 24: own, 32: other, 40: FIRST_USABLE, 48: last - TABLE_SECTORS - 1, 72: at };
  for (const [place, number] of Object.entries(places)) bytes.writeBigUInt64LE(BigInt(number), Number(place));
  encodeGuid(disk).copy(bytes, 56);
  const numbers = { 8: REVISION, 12: HEADER_BYTES, 80: ENTRIES, 84: ENTRY, 88: crc32(entries) };
  for (const [place, number] of Object.entries(numbers)) bytes.writeUInt32LE(number, Number(place));
  bytes.writeUInt32LE(crc32(bytes.subarray(0, HEADER_BYTES)), 16);
  return bytes;
}

/** Creates the first sector of a disk, which tells programs that cannot read GPT that the disk is in use. */
function createProtectiveMbr(last: number): Buffer {
  const bytes = Buffer.alloc(SECTOR);
  bytes.set([0, 0, 2, 0, 0xee, 0xff, 0xff, 0xff], 446);
  bytes.writeUInt32LE(1, 454);
  bytes.writeUInt32LE(Math.min(last, 0xffff_ffff), 458);
  bytes.set([0x55, 0xaa], 510);
  return bytes;
}

function isProtection(bytes: Buffer): boolean {
  const isMarked = bytes[450] === 0xee && bytes.readUInt32LE(454) === 1 && bytes.readUInt16BE(510) === 0x55aa;
  return isMarked && bytes.subarray(462, 510).every((byte) => byte === 0);
}

/** Returns the usual text form of a GUID; the first three numbers are little-endian on the disk. */
function readGuid(bytes: Buffer, at: number): string {
  const readHex = (from: number, to: number): string => bytes.toString("hex", at + from, at + to).toUpperCase();
  const readReversedHex = (from: number, to: number): string =>
    (readHex(from, to).match(/../g) ?? []).reverse().join("");
  return [readReversedHex(0, 4), readReversedHex(4, 6), readReversedHex(6, 8), readHex(8, 10), readHex(10, 16)].join(
    "-",
  );
}

/** Encodes the text form of a GUID as the 16 bytes that disks and firmware store. */
export function encodeGuid(guid: string): Buffer {
  const parts = guid.split("-").map((part) => Buffer.from(part, "hex"));
  return Buffer.concat(parts.map((part, index) => (index < 3 ? part.reverse() : part)));
}

/**
 * Reads a 64-bit number. Numbers above 2^53 need not be exact, because no disk has so many sectors, and the checks
 * refuse them.
 */
function number64(bytes: Buffer, at: number): number {
  return Number(bytes.readBigUInt64LE(at));
}

function isSameList(one: readonly number[], other: readonly number[]): boolean {
  return one.every((number, index) => number === other[index]);
}

function readExactly(readAt: ReadAt, offset: number, length: number): Buffer {
  const bytes = Buffer.from(readAt(offset, length));
  demand(bytes.length === length, "it ends within its partition table");
  return bytes;
}

function demand(holds: boolean, reason: string): void {
  if (!holds) throw new Fault(reason);
}
