// Reads the records of files in the two directory trees of an image, with the positions of the records. A record must be rewritten when its
// file moves or grows. Only images of our own writer are read, but every number is still checked against the size of the image.

import { BLOCK } from "./places.ts";

/** Reads `length` bytes at `offset`, or fewer if the image ends before that. */
export type ReadAt = (offset: number, length: number) => Uint8Array;

export interface FileRecord {
  /** Offset of the record, in bytes from the start of the image. */
  readonly at: number;
  /** Number of the file's first block. */
  readonly extent: number;
  /** Size of the file in bytes. */
  readonly size: number;
}

export interface Records {
  /** Records of the Joliet tree, which has the exact names, by path with a leading slash. */
  readonly named: ReadonlyMap<string, FileRecord>;
  /** Records of the primary tree, which has shortened names, by the first block of the file. Each file has its own first block. */
  readonly byExtent: ReadonlyMap<number, FileRecord>;
}

const FIRST_DESCRIPTOR = 16;
const MOST_DESCRIPTORS = 16;
const MOST_DEPTH = 16;
const MOST_FOLDER_BYTES = 1 << 20;
/** Maximum bytes of all folders of a tree together. Without this limit, a folder that contains itself would be read without end. */
const MOST_FOLDERS_BYTES = 8 * MOST_FOLDER_BYTES;
const MOST_FILES = 10_000;

const PRIMARY = 1;
const SUPPLEMENTARY = 2;
const ROOT_RECORD = 156;
const FOLDER = 2;

/** Returns the records, or `undefined` if our writer did not write the image. */
export function readRecords(readAt: ReadAt): Records | undefined {
  const named = new Map<string, FileRecord>();
  const byExtent = new Map<number, FileRecord>();
  const trees = new Set<number>();
  for (let number = 0; number < MOST_DESCRIPTORS; number++) {
    const descriptor = readAt((FIRST_DESCRIPTOR + number) * BLOCK, BLOCK);
    const type = descriptor.length < BLOCK ? 255 : descriptor[0];
    if (type === 255) break;
    if (type !== PRIMARY && type !== SUPPLEMENTARY) continue;
    trees.add(type);
    const keep = (path: string, record: FileRecord): void =>
      void (type === PRIMARY ? byExtent.set(record.extent, record) : named.set(path, record));
    if (
      !walk({ readAt, keep, left: MOST_FILES, bytesLeft: MOST_FOLDERS_BYTES }, "", parse(descriptor, ROOT_RECORD, 0), 0)
    )
      return undefined;
  }
  return trees.size === 2 ? { named, byExtent } : undefined;
}

interface Walk {
  readonly readAt: ReadAt;
  readonly keep: (path: string, record: FileRecord) => void;
  left: number;
  bytesLeft: number;
}

interface Parsed extends FileRecord {
  readonly isFolder: boolean;
  /**
   * Name of the entry, decoded with two bytes for each character. This form of the name is used only in the Joliet tree, which has this
   * encoding.
   */
  readonly name: string;
  /** Whether the record describes the containing folder itself or the parent of this folder. */
  readonly isSelf: boolean;
}

function walk(state: Walk, path: string, folder: Parsed, depth: number): boolean {
  state.bytesLeft -= folder.size;
  if (depth > MOST_DEPTH || folder.size > MOST_FOLDER_BYTES || state.bytesLeft < 0) return false;
  const bytes = state.readAt(folder.extent * BLOCK, folder.size);
  if (bytes.length < folder.size) return false;
  for (let at = 0; at < bytes.length; ) {
    const length = bytes[at] ?? 0;
    if (length === 0) {
      // Records do not cross blocks; the rest of this block is padding.
      at = (Math.floor(at / BLOCK) + 1) * BLOCK;
      continue;
    }
    if (length < 34 || at + length > bytes.length || state.left-- <= 0) return false;
    const found = parse(bytes, at, folder.extent * BLOCK);
    const place = `${path}/${found.name}`;
    if (found.isFolder && !found.isSelf && !walk(state, place, found, depth + 1)) return false;
    if (!found.isFolder) state.keep(place, found);
    at += length;
  }
  return true;
}

function parse(bytes: Uint8Array, at: number, base: number): Parsed {
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, bytes.byteLength - at);
  const nameBytes = bytes.subarray(at + 33, at + 33 + view.getUint8(32));
  return {
    at: base + at,
    extent: view.getUint32(2, true),
    size: view.getUint32(10, true),
    isFolder: (view.getUint8(25) & FOLDER) !== 0,
    isSelf: nameBytes.length === 1 && (nameBytes[0] ?? 2) < 2,
    name: decodeName(nameBytes),
  };
}

function decodeName(bytes: Uint8Array): string {
  const even = Buffer.from(bytes.subarray(0, bytes.length & ~1));
  return even.swap16().toString("utf16le");
}

/** Returns the sixteen bytes of a record that state the position of the file: first block and size, each in both byte orders. */
export function encodeExtent(extent: number, size: number): Uint8Array {
  const bytes = Buffer.alloc(16);
  bytes.writeUInt32LE(extent, 0);
  bytes.writeUInt32BE(extent, 4);
  bytes.writeUInt32LE(size, 8);
  bytes.writeUInt32BE(size, 12);
  return bytes;
}

/** Offset of the bytes of `encodeExtent` in a record. */
export const WHERE_IT_LIES = 2;
