// Applies SQLite's rollback journal of an interrupted change to the bytes of a file, for a copy on a medium that is not written to. The
// bytes are untrusted, and each record is read once. Format: sqlite.org/fileformat.html.

import { accept, type Result, refuse } from "../../lib/result/result.ts";
import { MAX_FILE_BYTES, PAGE_BYTES } from "./limits.ts";

const MAGIC = Buffer.from("d9d505f920a163d7", "hex");
const HEADER_BYTES = 28;
/** If the head of a part states this number of records, all records up to the end of the journal belong to the part. */
const ALL = 0xffff_ffff;
/** Distance between the bytes that a record's checksum includes. */
const STRIDE = 200;
const MOST_SECTOR_BYTES = 0x10000;

/** Returns whether a journal has to be rolled back; the journal of a finished change is empty or begins with zeros. */
export function isHot(journal: Uint8Array | undefined): boolean {
  return journal?.subarray(0, MAGIC.length).some((byte) => byte !== 0) ?? false;
}

interface Part {
  readonly records: number;
  readonly nonce: number;
  readonly pages: number;
  readonly sector: number;
}

/** Returns the file as it was before the change. Fails if the journal is not in a form that this program writes. */
export function rollBack(file: Uint8Array, journal: Uint8Array): Result<Uint8Array> {
  const bytes = Buffer.from(journal.buffer, journal.byteOffset, journal.length);
  const first = readPartHead(bytes, 0);
  // The journal was not synced, so the file is unchanged.
  if (first === undefined) return accept(file);
  if (first.pages * PAGE_BYTES > MAX_FILE_BYTES) return refuse("its journal is of a larger file than is kept");
  const before = Buffer.alloc(first.pages * PAGE_BYTES);
  Buffer.from(file).copy(before);
  let at = 0;
  for (let part: Part | undefined = first; part !== undefined; part = readPartHead(bytes, at)) {
    const end = takeBack(bytes, at + part.sector, part, before);
    if (end === undefined) break;
    // Each part of a journal begins at a sector.
    at = Math.ceil(end / first.sector) * first.sector;
  }
  return accept(before);
}

/** Returns the head of a part of the journal; `undefined` if there is no valid head, or if its part has no records. */
function readPartHead(bytes: Buffer, at: number): Part | undefined {
  if (bytes.length - at < HEADER_BYTES || !bytes.subarray(at, at + MAGIC.length).equals(MAGIC)) return undefined;
  const [count = 0, nonce = 0, pages = 0, sector = 0, page = 0] = [8, 12, 16, 20, 24].map((more) =>
    bytes.readUInt32BE(at + more),
  );
  const isSector = sector >= 32 && sector <= MOST_SECTOR_BYTES && (sector & (sector - 1)) === 0;
  if (!isSector || page !== PAGE_BYTES) return undefined;
  const most = Math.max(0, Math.floor((bytes.length - at - sector) / (PAGE_BYTES + 8)));
  const records = count === ALL ? most : Math.min(count, most);
  return records === 0 ? undefined : { records, nonce, pages, sector };
}

/**
 * Copies the pages that one part of the journal stores back into `before`. Returns the offset of the part's end, or
 * `undefined` if a record did not completely reach the disk.
 */
function takeBack(bytes: Buffer, start: number, { records, nonce }: Part, before: Buffer): number | undefined {
  let at = start;
  for (let record = 0; record < records; record += 1) {
    const page = bytes.readUInt32BE(at);
    const content = bytes.subarray(at + 4, at + 4 + PAGE_BYTES);
    if (page === 0 || computeChecksum(content, nonce) !== bytes.readUInt32BE(at + 4 + PAGE_BYTES)) return undefined;
    content.copy(before, (page - 1) * PAGE_BYTES);
    at += PAGE_BYTES + 8;
  }
  return at;
}

function computeChecksum(content: Buffer, nonce: number): number {
  let sum = nonce;
  for (let at = PAGE_BYTES - STRIDE; at > 0; at -= STRIDE) sum = (sum + (content[at] ?? 0)) >>> 0;
  return sum;
}
