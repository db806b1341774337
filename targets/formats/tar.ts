// Writes an archive in the form "ustar", whose bytes depend only on the files, their order and one time.

import { closeSync, openSync, readSync, statSync, writeSync } from "node:fs";
import { bug } from "../../lang/diagnostics/index.ts";

interface TarEntry {
  /** Path of at most 100 bytes of ASCII; the path of a folder ends with a slash. */
  readonly path: string;
  readonly mode: number;
  /** Number of the user and of the group that own the entry. */
  readonly owner: number;
  /** Path of the content on this machine; absent for a folder. */
  readonly file?: string;
}

const BLOCK = 512;
/** Maximum size that eleven octal digits can state. Larger files need another form, which this writer does not support. */
const MOST_BYTES = 8 ** 11 - 1;
const PIECE = 1 << 20;

/**
 * Writes the archive to `out` and returns its size. The archive has the entries in the given order, so the caller lists a folder before its
 * content.
 */
export function writeTar(out: string, time: number, entries: readonly TarEntry[]): number {
  const target = openSync(out, "w");
  try {
    for (const entry of entries) {
      const size = entry.file === undefined ? 0 : statSync(entry.file).size;
      writeWhole(target, encodeHeader(entry, size, time));
      if (entry.file !== undefined) copy(entry.file, target);
      writeWhole(target, Buffer.alloc(-size & (BLOCK - 1)));
    }
    writeWhole(target, Buffer.alloc(2 * BLOCK));
  } finally {
    closeSync(target);
  }
  return statSync(out).size;
}

function encodeHeader({ path, mode, owner, file }: TarEntry, size: number, time: number): Buffer {
  if (size > MOST_BYTES || path.length > 100) bug(`${path} does not fit an archive`);
  const bytes = Buffer.alloc(BLOCK);
  const writeOctal = (value: number, at: number, digits: number): void =>
    void bytes.write(`${value.toString(8).padStart(digits, "0")}\0`, at, "latin1");
  bytes.write(path, 0, "latin1");
  writeOctal(mode, 100, 7);
  writeOctal(owner, 108, 7);
  writeOctal(owner, 116, 7);
  writeOctal(size, 124, 11);
  writeOctal(time, 136, 11);
  bytes.write(file === undefined ? "5" : "0", 156, "latin1");
  bytes.write("ustar\x0000", 257, "latin1");
  // When the checksum is computed, its own field contains spaces.
  bytes.fill(" ", 148, 156);
  writeOctal(
    bytes.reduce((sum, byte) => sum + byte, 0),
    148,
    6,
  );
  return bytes;
}

function copy(file: string, target: number): void {
  const source = openSync(file, "r");
  try {
    const piece = Buffer.alloc(PIECE);
    for (let read = readSync(source, piece); read > 0; read = readSync(source, piece))
      writeWhole(target, piece.subarray(0, read));
  } finally {
    closeSync(source);
  }
}

function writeWhole(file: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
}
