// Reads one file of an archive in the form "newc", from which the kernel unpacks its first root. The bytes are untrusted: every number is
// checked against the size of the archive before it is used.

const FORM = /^070701[0-9A-Fa-f]{104}$/;
const HEADER = 110;
/** Offsets in the header of the size of the file and of the length of its name. Each has eight hexadecimal digits. */
const SIZE_AT = 54;
const NAME_LENGTH_AT = 94;
const LAST = "TRAILER!!!";
/** Maximum number of records; the project's own initrd has about thirty. */
const MOST_ENTRIES = 10_000;

/**
 * Returns the bytes of the file at `path`, which has no leading slash; `undefined` if the archive has no such file
 * before its first malformed record.
 */
export function findFileInArchive(archive: Uint8Array, path: string): Uint8Array | undefined {
  for (const [name, bytes] of readRecords(archive)) if (name === path) return bytes;
  return undefined;
}

/** Returns every file and folder; folders have no bytes. Returns `undefined` if the archive is malformed or truncated. */
export function readFilesInArchive(archive: Uint8Array): ReadonlyMap<string, Uint8Array> | undefined {
  const found = new Map(readRecords(archive));
  return found.delete(LAST) ? found : undefined;
}

/** Yields the records in order. Stops after the last record, or before the first malformed record. */
function* readRecords(archive: Uint8Array): Generator<readonly [string, Uint8Array]> {
  let at = 0;
  for (let count = 0; count < MOST_ENTRIES; count++) {
    const header = decodeLatin(archive, at, at + HEADER);
    if (!FORM.test(header)) return;
    const size = number(header, SIZE_AT);
    const nameEnds = at + HEADER + number(header, NAME_LENGTH_AT);
    const starts = alignOffset(nameEnds);
    if (starts + size > archive.length) return;
    // In the form newc, the length of a file's name includes a zero byte at its end.
    const name = decodeLatin(archive, at + HEADER, nameEnds - 1);
    yield [name, archive.subarray(starts, starts + size)];
    if (name === LAST) return;
    at = alignOffset(starts + size);
  }
}

function number(header: string, at: number): number {
  return Number.parseInt(header.slice(at, at + 8), 16);
}

/** Rounds up to a multiple of four: headers and contents begin at such offsets. */
function alignOffset(at: number): number {
  return at + (-at & 3);
}

function decodeLatin(bytes: Uint8Array, from: number, to: number): string {
  return Buffer.from(bytes.subarray(from, Math.max(from, to))).toString("latin1");
}
