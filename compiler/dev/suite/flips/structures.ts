// Lists the structures of an image, from its first byte to its last: every byte belongs to exactly one structure.

import { placeOfProgram } from "../../../../engine/image/uefi/esp.ts";
import { readSections } from "../../../../engine/image/uefi/pe.ts";
import { IMAGE_PATHS } from "../../../../targets/contract/artifact.ts";
import { type IsoFile, listIso, type ReadAt } from "../../../artefacts/inspect/iso-reader.ts";

export interface Structure {
  readonly name: string;
  readonly offset: number;
  /** Size in bytes, above 0. */
  readonly size: number;
}

const SECTOR = 2048;
const FIRST_DESCRIPTOR = 16 * SECTOR;
const LAST_DESCRIPTOR = 255;
/**
 * Maximum number of volume descriptors. Images of capc have four volume descriptors, or five if both BIOS and UEFI
 * start them.
 */
const MOST_DESCRIPTORS = 16;
/** Block size in bytes of a GPT. */
const BLOCK = 512;

/** Offset of the hash tree in each file that has one, by the file's path. The tree follows the content. */
export type Trees = ReadonlyMap<string, number>;

/** Suffix of the name of a file's hash tree. */
export const TREE = ": its hash tree";

/** Returns the structures of an image of capc. Bytes that none of the known structures covers are padding. */
export function listStructures(readAt: ReadAt, size: number, trees: Trees): readonly Structure[] {
  const listing = listIso(readAt, size);
  if (!listing.ok) throw new Error(listing.reason);
  const known = [
    { name: "master boot record", offset: 0, size: BLOCK },
    ...readPartitionTables(readAt, size),
    ...readDescriptors(readAt),
    ...listing.files.filter((file) => file.size > 0).flatMap((file) => splitFile(file, readAt, trees)),
  ];
  const firstFile = Math.min(...listing.files.map(({ offset }) => offset));
  return addRest(known.toSorted(compareOffsets), size, firstFile);
}

const compareOffsets = (left: Structure, right: Structure): number => left.offset - right.offset;

function splitFile({ path, offset, size }: IsoFile, readAt: ReadAt, trees: Trees): readonly Structure[] {
  const whole = { name: path, offset, size };
  if (path === IMAGE_PATHS.efi) return splitStart(whole, Buffer.from(readAt(offset, size)));
  const content = trees.get(path);
  if (content === undefined) return [whole];
  return [
    { ...whole, size: content },
    { name: `${path}${TREE}`, offset: offset + content, size: size - content },
  ];
}

/** Splits the part that UEFI starts into the file system and the sections of its only program. */
function splitStart(whole: Structure, bytes: Buffer): readonly Structure[] {
  const place = placeOfProgram(bytes);
  const program = place === undefined ? undefined : bytes.subarray(place.offset, place.offset + place.size);
  const sections = program === undefined ? undefined : readSections(program);
  if (place === undefined || sections?.ok !== true) return [whole];
  const named = sections.value
    .filter(({ name, size }) => STARTED.includes(name) && size > 0)
    .map((section) => ({
      name: `${whole.name}: ${section.name}`,
      offset: whole.offset + place.offset + section.offset,
      size: section.size,
    }));
  const starts = whole.offset + place.offset;
  const inProgram = fillBetween(
    named.toSorted(compareOffsets),
    starts,
    starts + place.size,
    `${whole.name}: the program`,
  );
  return fillBetween(inProgram, whole.offset, whole.offset + whole.size, `${whole.name}: the file system`);
}

/** Sections that are added to the UEFI stub. From these sections the stub starts the kernel. */
const STARTED: readonly string[] = [".osrel", ".cmdline", ".linux", ".initrd"];

/**
 * Returns the known structures in rising order. The bytes before, between and after them are structures with the name
 * `name`.
 */
function fillBetween(known: readonly Structure[], from: number, to: number, name: string): readonly Structure[] {
  const all: Structure[] = [];
  let at = from;
  for (const structure of [...known, { name: "", offset: to, size: 0 }]) {
    if (structure.offset > at) all.push({ name, offset: at, size: structure.offset - at });
    if (structure.size > 0) all.push(structure);
    at = structure.offset + structure.size;
  }
  return all;
}

function readPartitionTables(readAt: ReadAt, size: number): Structure[] {
  return [
    ...readPartitionTable(readAt, BLOCK, "partition table"),
    ...readPartitionTable(readAt, size - BLOCK, "partition table, second copy"),
  ];
}

/** Returns the header of a partition table, and its entries. */
function readPartitionTable(readAt: ReadAt, at: number, name: string): Structure[] {
  const header = Buffer.from(readAt(at, BLOCK));
  if (header.toString("latin1", 0, 8) !== "EFI PART") return [];
  const entries = Number(header.readBigUInt64LE(72)) * BLOCK;
  return [
    { name, offset: at, size: BLOCK },
    { name: `${name}: entries`, offset: entries, size: header.readUInt32LE(80) * header.readUInt32LE(84) },
  ];
}

const DESCRIPTORS: Readonly<Record<number, string>> = {
  0: "boot volume descriptor (El Torito)",
  1: "primary volume descriptor",
  2: "supplementary volume descriptor, whose folders init reads",
  [LAST_DESCRIPTOR]: "terminator of the volume descriptors",
};

function readDescriptors(readAt: ReadAt): Structure[] {
  const found: Structure[] = [];
  for (let index = 0; index < MOST_DESCRIPTORS; index += 1) {
    const offset = FIRST_DESCRIPTOR + index * SECTOR;
    const [kind = LAST_DESCRIPTOR] = readAt(offset, 1);
    found.push({ name: DESCRIPTORS[kind] ?? `descriptor ${kind}`, offset, size: SECTOR });
    if (kind === LAST_DESCRIPTOR) break;
  }
  return found;
}

/**
 * Adds the gaps between the known structures. Gaps before the first file are folders; gaps after it are padding of
 * sectors.
 */
function addRest(known: readonly Structure[], size: number, firstFile: number): Structure[] {
  const all: Structure[] = [];
  let at = 0;
  for (const structure of known) {
    if (structure.offset < at) throw new Error(`${structure.name} overlaps what is before it`);
    all.push(...nameRest(at, structure.offset, firstFile), structure);
    at = structure.offset + structure.size;
  }
  return [...all, ...nameRest(at, size, firstFile)];
}

function nameRest(from: number, to: number, firstFile: number): Structure[] {
  if (from === to) return [];
  const isFolders = from >= FIRST_DESCRIPTOR && to <= firstFile;
  return [{ name: isFolders ? "folders and path tables" : "padding", offset: from, size: to - from }];
}
