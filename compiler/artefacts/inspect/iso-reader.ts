// Lists the files of an ISO 9660 image with Rock Ridge names. The bytes are untrusted: every number is checked against the size of the
// file before it is used. This module mounts nothing, so it does not follow links.

import { compareCodeUnits } from "../../../lang/text/index.ts";

/** A regular file of the image, as a range of the image's bytes. */
export interface IsoFile {
  /** Path of the file in the image, with a leading slash. */
  readonly path: string;
  readonly offset: number;
  readonly size: number;
}

type IsoListing =
  | { readonly ok: true; readonly volume: string; readonly files: readonly IsoFile[] }
  | { readonly ok: false; readonly reason: string };

/** Reads `length` bytes at `offset`, or fewer if the file ends before the end of this range. */
export type ReadAt = (offset: number, length: number) => Uint8Array;

const SECTOR = 2048;
const DESCRIPTOR = 16 * SECTOR;
/**
 * Maximum number of files and folders, and maximum depth of nested folders. The project's own images have about
 * twenty files, in at most three nested folders.
 */
const MOST_ENTRIES = 10_000;
const MOST_DEPTH = 16;
const MOST_FOLDER_BYTES = 1024 * 1024;
/**
 * Maximum bytes of all folders together. Without this limit, a folder that contains itself would be read again at every
 * depth.
 */
const MOST_FOLDERS_BYTES = 8 * MOST_FOLDER_BYTES;

export function listIso(readAt: ReadAt, size: number): IsoListing {
  const descriptor = readAt(DESCRIPTOR, SECTOR);
  if (descriptor.length < SECTOR || decodeLatin(descriptor, 1, 6) !== "CD001" || descriptor[0] !== 1)
    return { ok: false, reason: "there is no ISO 9660 volume descriptor" };
  const files: IsoFile[] = [];
  const reason = listFolder(
    { readAt, size, files, left: MOST_ENTRIES, bytesLeft: MOST_FOLDERS_BYTES },
    "",
    recordAt(descriptor, 156),
    0,
  );
  if (reason !== undefined) return { ok: false, reason };
  files.sort((left, right) => compareCodeUnits(left.path, right.path));
  const fault = findFault(files, size);
  if (fault !== undefined) return { ok: false, reason: fault };
  return { ok: true, volume: decodeLatin(descriptor, 40, 72).trimEnd(), files };
}

/**
 * Returns a fault if two files have the same path, or if all files together have more bytes than the image. The machine
 * might read one of the two files, and this reader the other. Files that overlap could make a reader read far more
 * bytes than the image has.
 */
function findFault(files: readonly IsoFile[], size: number): string | undefined {
  const twice = files.find(({ path }, index) => files[index + 1]?.path === path);
  if (twice !== undefined) return `${twice.path} is there twice`;
  const bytes = files.reduce((sum, file) => sum + file.size, 0);
  return bytes > size ? "its files have more bytes than it has" : undefined;
}

interface Walk {
  readonly readAt: ReadAt;
  readonly size: number;
  readonly files: IsoFile[];
  left: number;
  bytesLeft: number;
}

interface Entry {
  readonly offset: number;
  readonly size: number;
  readonly isFolder: boolean;
  readonly name: string;
}

function listFolder(walk: Walk, path: string, folder: Entry, depth: number): string | undefined {
  if (depth > MOST_DEPTH) return "its folders are nested too deep";
  if (folder.size > MOST_FOLDER_BYTES || folder.offset + folder.size > walk.size) return "a folder lies outside of it";
  walk.bytesLeft -= folder.size;
  if (walk.bytesLeft < 0) return `its folders have more than ${MOST_FOLDERS_BYTES} bytes`;
  const bytes = walk.readAt(folder.offset, folder.size);
  for (let at = 0; at < bytes.length; ) {
    const length = bytes[at] ?? 0;
    if (length === 0) {
      // Records do not cross sectors, so the rest of this sector is padding.
      at = (Math.floor(at / SECTOR) + 1) * SECTOR;
      continue;
    }
    if (length < 34 || at + length > bytes.length) return "a folder's record is cut short";
    const reason = take(walk, path, recordAt(bytes, at), depth);
    if (reason !== undefined) return reason;
    at += length;
  }
  return undefined;
}

function take(walk: Walk, path: string, entry: Entry, depth: number): string | undefined {
  if (entry.name === "\u0000" || entry.name === "\u0001") return undefined;
  if (walk.left-- <= 0) return `it has more than ${MOST_ENTRIES} entries`;
  const place = `${path}/${entry.name}`;
  if (entry.isFolder) return listFolder(walk, place, entry, depth + 1);
  if (entry.offset + entry.size > walk.size) return `${place} lies outside of it`;
  walk.files.push({ path: place, offset: entry.offset, size: entry.size });
  return undefined;
}

function recordAt(bytes: Uint8Array, at: number): Entry {
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, bytes.byteLength - at);
  const nameLength = view.getUint8(32);
  const name = decodeLatin(bytes, at + 33, at + 33 + nameLength);
  // The system use fields begin at an even offset after the name.
  const extra = bytes.subarray(at + 33 + nameLength + (nameLength % 2 === 0 ? 1 : 0), at + view.getUint8(0));
  return {
    offset: view.getUint32(2, true) * SECTOR,
    size: view.getUint32(10, true),
    isFolder: (view.getUint8(25) & 2) !== 0,
    name: nameLength === 1 && name < "\u0002" ? name : (readRockRidgeName(extra) ?? name.replace(/\.?;\d+$/, "")),
  };
}

function readRockRidgeName(fields: Uint8Array): string | undefined {
  let name: string | undefined;
  for (let at = 0; at + 4 <= fields.length; ) {
    const length = fields[at + 2] ?? 0;
    if (length < 4) break;
    if (decodeLatin(fields, at, at + 2) === "NM") name = (name ?? "") + decodeLatin(fields, at + 5, at + length);
    at += length;
  }
  return name;
}

function decodeLatin(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to));
}
