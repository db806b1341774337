// Encodes an archive in the form "newc", which the kernel unpacks as its first root. The bytes must depend on the files
// alone: no times, inode numbers or owners of the building machine. So no tool of the host writes the archive.

export interface ArchiveEntry {
  /** Path without a leading slash. Folders must precede their content, because the kernel creates none by itself. */
  readonly path: string;
  readonly mode: number;
  /** Content of the file; absent for a folder. */
  readonly bytes?: Uint8Array;
}

const FOLDER = 0o040000;
const FILE = 0o100000;

/** Returns the entries as a cpio archive, in the given order: another order gives other bytes. */
export function encodeArchive(entries: readonly ArchiveEntry[]): Buffer {
  const parts = entries.map((entry, index) => record(entry.path, encodeFileMode(entry), index + 1, entry.bytes));
  return Buffer.concat([...parts, record("TRAILER!!!", 0, 0, undefined)]);
}

function encodeFileMode(entry: ArchiveEntry): number {
  return (entry.bytes === undefined ? FOLDER : FILE) | entry.mode;
}

function record(path: string, mode: number, inode: number, bytes: Uint8Array | undefined): Buffer {
  const name = Buffer.from(`${path}\0`, "utf8");
  const links = (mode & FOLDER) !== 0 ? 2 : 1;
  // The header of a file is the text 070701 and 13 numbers: inode, mode, owner, group, links, time, size, device (2),
  // special device (2), length of the name, checksum.
  const numbers = [inode, mode, 0, 0, links, 0, bytes?.length ?? 0, 0, 0, 0, 0, name.length, 0];
  const header = `070701${numbers.map((number) => number.toString(16).padStart(8, "0")).join("")}`;
  return Buffer.concat([
    padToFour(Buffer.concat([Buffer.from(header, "latin1"), name])),
    padToFour(bytes ?? new Uint8Array()),
  ]);
}

/** Pads a header with its name, or the contents, to a multiple of four bytes. */
function padToFour(bytes: Uint8Array): Uint8Array {
  const missing = -bytes.length & 3;
  return missing === 0 ? bytes : Buffer.concat([bytes, new Uint8Array(missing)]);
}
