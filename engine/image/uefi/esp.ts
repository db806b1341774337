// Builds the file system from which UEFI firmware starts: FAT16 with one file, EFI/BOOT/BOOTX64.EFI, in one run of
// clusters. mtools would write times and serial numbers, and would have to be installed. The file system is FAT16,
// because FAT32 begins at 32 MB.

import type { Result } from "../../lib/result/result.ts";
import { findInFat, type Run, readRuns } from "./fat.ts";

const SECTOR = 512;
const SECTORS_IN_CLUSTER = 4;
const CLUSTER = SECTOR * SECTORS_IN_CLUSTER;
const ROOT_ENTRIES = 512;
const ENTRY = 32;
/**
 * Readers distinguish FAT16 from FAT12 and FAT32 by the number of clusters. The limits have a margin on both sides, for
 * readers that miscount slightly.
 */
const LEAST_CLUSTERS = 4085 + 16;
const MOST_CLUSTERS = 65_525 - 16;
const FOLDERS = 2;
/** The largest program that fits, about 134 MB. */
export const MOST_PROGRAM_BYTES = (MOST_CLUSTERS - FOLDERS) * CLUSTER;

const FIXED_DISK = 0xf8;
const FOLDER = 0x10;
const FILE = 0x20;
const VOLUME = 0x08;
/** The first date in FAT, 1980-01-01; the file system has no other time. */
const FIRST_DAY = 0x0021;
/** Identifier of the file system, "caps" in ASCII; no program uses it. */
const SERIAL = 0x6361_7073;
const NAME_OF_VOLUME = "CAPOS ESP  ";

/** Returns a file system in which firmware finds `program`; fails if the program is too large. */
export function buildEsp(program: Uint8Array): Result<Buffer> {
  if (program.length > MOST_PROGRAM_BYTES)
    return { ok: false, reason: `the program for UEFI has ${program.length} bytes, above ${MOST_PROGRAM_BYTES}` };
  const fileClusters = Math.ceil(program.length / CLUSTER);
  const clusters = Math.max(LEAST_CLUSTERS, FOLDERS + fileClusters);
  const fatSectors = Math.ceil(((clusters + 2) * 2) / SECTOR);
  const rootAt = (1 + 2 * fatSectors) * SECTOR;
  const dataAt = rootAt + ROOT_ENTRIES * ENTRY;
  const image = Buffer.alloc(dataAt + clusters * CLUSTER);
  writeBootSector(image, image.length / SECTOR, fatSectors);
  const table = encodeAllocationTable(fileClusters, fatSectors * SECTOR);
  table.copy(image, SECTOR);
  table.copy(image, SECTOR + table.length);
  const locateCluster = (number: number): number => dataAt + (number - 2) * CLUSTER;
  writeEntries(image, rootAt, [
    encodeFolderEntry(NAME_OF_VOLUME, VOLUME, 0, 0),
    encodeFolderEntry("EFI        ", FOLDER, 2, 0),
  ]);
  writeEntries(image, locateCluster(2), [...encodeDotEntries(2, 0), encodeFolderEntry("BOOT       ", FOLDER, 3, 0)]);
  writeEntries(image, locateCluster(3), [
    ...encodeDotEntries(3, 2),
    encodeFolderEntry("BOOTX64 EFI", FILE, 4, program.length),
  ]);
  image.set(program, locateCluster(4));
  return { ok: true, value: image };
}

/** Path at which firmware looks for the program. */
const PROGRAM_PATH = ["EFI", "BOOT", "BOOTX64.EFI"];

/** Returns the program that firmware would find in any FAT16 file system, or `undefined` if it would find none. */
export function extractProgram(image: Buffer): Buffer | undefined {
  const runs = findInFat(image, PROGRAM_PATH);
  return runs && readRuns(image, runs);
}

/**
 * Returns the range of the program in the file system. In every image of capc, the program is one contiguous range; if
 * it is not, returns `undefined`.
 */
export function placeOfProgram(image: Buffer): Run | undefined {
  const [run, ...more] = findInFat(image, PROGRAM_PATH) ?? [];
  return more.length > 0 ? undefined : run;
}

function writeBootSector(image: Buffer, sectors: number, fatSectors: number): void {
  image.set([0xeb, 0x3c, 0x90], 0);
  image.write("CAPOS   ", 3, "latin1");
  image.writeUInt16LE(SECTOR, 11);
  image[13] = SECTORS_IN_CLUSTER;
  image.writeUInt16LE(1, 14); // sectors before the first table
  image[16] = 2; // tables
  image.writeUInt16LE(ROOT_ENTRIES, 17);
  if (sectors < 65_536) image.writeUInt16LE(sectors, 19);
  else image.writeUInt32LE(sectors, 32);
  image[21] = FIXED_DISK;
  image.writeUInt16LE(fatSectors, 22);
  image.writeUInt16LE(32, 24); // sectors in a track, and heads: no reader uses them
  image.writeUInt16LE(64, 26);
  image[36] = 0x80;
  image[38] = 0x29;
  image.writeUInt32LE(SERIAL, 39);
  image.write(NAME_OF_VOLUME, 43, "latin1");
  image.write("FAT16   ", 54, "latin1");
  image.writeUInt16LE(0xaa55, 510);
}

/**
 * Returns the file allocation table: two reserved entries, a cluster for each folder, and then the file as one chain.
 */
function encodeAllocationTable(fileClusters: number, bytes: number): Buffer {
  const END = 0xffff;
  const table = Buffer.alloc(bytes);
  [0xff00 | FIXED_DISK, END, END, END].forEach((next, index) => {
    table.writeUInt16LE(next, index * 2);
  });
  for (let index = 0; index < fileClusters; index += 1) {
    const number = 2 + FOLDERS + index;
    table.writeUInt16LE(index === fileClusters - 1 ? END : number + 1, number * 2);
  }
  return table;
}

const encodeDotEntries = (self: number, parent: number): Buffer[] => [
  encodeFolderEntry(".          ", FOLDER, self, 0),
  encodeFolderEntry("..         ", FOLDER, parent, 0),
];

function encodeFolderEntry(name: string, attribute: number, cluster: number, size: number): Buffer {
  const bytes = Buffer.alloc(ENTRY);
  bytes.write(name, 0, 11, "latin1");
  bytes[11] = attribute;
  bytes.writeUInt16LE(FIRST_DAY, 16);
  bytes.writeUInt16LE(FIRST_DAY, 18);
  bytes.writeUInt16LE(FIRST_DAY, 24);
  bytes.writeUInt16LE(cluster, 26);
  bytes.writeUInt32LE(size, 28);
  return bytes;
}

function writeEntries(image: Buffer, at: number, entries: readonly Buffer[]): void {
  for (const [index, bytes] of entries.entries()) bytes.copy(image, at + index * ENTRY);
}
