// Reads the disk in a qcow2 image as if it were stored raw. The bytes are untrusted: numbers are checked against limits before they are
// used, and features that our own writer never uses are refused.

/** Reads `length` bytes at `offset`, or fewer if the file is shorter. */
export type ReadAt = (offset: number, length: number) => Uint8Array;

export interface QcowDisk {
  readonly size: number;
  readonly readAt: ReadAt;
}

const MAGIC = 0x5146_49fb;
const HEADER = 104;
const LEAST_CLUSTER_BITS = 9;
const MOST_CLUSTER_BITS = 21;
/** Maximum entries of the first-level table; 16 GiB of disk in clusters of 64 KiB take 32 entries. */
const MOST_TABLES = 65_536;
const PLACE = 0x00ff_ffff_ffff_fe00n;
const COMPRESSED = 1n << 62n;
/** Flag of a cluster that reads as zeros, whatever is stored at its offset. */
const ZERO = 1n;

/** Returns whether the file begins like a qcow2 image. */
export function isQcow2(readAt: ReadAt): boolean {
  const start = readAt(0, 4);
  return start.length === 4 && Buffer.from(start).readUInt32BE(0) === MAGIC;
}

/** Returns the disk, or `undefined` if the file is not a qcow2 image, or if the image needs another file, a key, or decompression. */
export function readQcow2(readAt: ReadAt): QcowDisk | undefined {
  const header = Buffer.from(readAt(0, HEADER));
  if (header.length < HEADER || header.readUInt32BE(0) !== MAGIC || header.readUInt32BE(4) !== 3) return undefined;
  const needsMore =
    header.readBigUInt64BE(8) !== 0n || header.readUInt32BE(32) !== 0 || header.readBigUInt64BE(72) !== 0n;
  const bits = header.readUInt32BE(20);
  const tables = header.readUInt32BE(36);
  const [size, root] = [Number(header.readBigUInt64BE(24)), Number(header.readBigUInt64BE(40))];
  if (needsMore || bits < LEAST_CLUSTER_BITS || bits > MOST_CLUSTER_BITS || tables > MOST_TABLES) return undefined;
  if (!Number.isSafeInteger(size) || !Number.isSafeInteger(root)) return undefined;
  const cluster = 2 ** bits;
  const entriesInTable = cluster / 8;
  // Offsets are untrusted, too; a file cannot be read at an offset that a JavaScript number cannot represent exactly.
  const readBytes: ReadAt = (at, length) => (Number.isSafeInteger(at + length) ? readAt(at, length) : new Uint8Array());
  const readEntry = (at: number): bigint => {
    const bytes = Buffer.from(readBytes(at, 8));
    return bytes.length === 8 ? bytes.readBigUInt64BE(0) : 0n;
  };
  /** Returns the offset of a cluster of the disk in bytes; `undefined` if the cluster is all zeros or cannot be read. */
  const placeOf = (index: number): number | undefined => {
    const table = Math.floor(index / entriesInTable);
    const at = table < tables ? Number(readEntry(root + table * 8) & PLACE) : 0;
    const found = at === 0 ? 0n : readEntry(at + (index % entriesInTable) * 8);
    if ((found & (COMPRESSED | ZERO)) !== 0n) return undefined;
    const place = Number(found & PLACE);
    return place === 0 ? undefined : place;
  };
  return { size, readAt: (offset, length) => readPieces(offset, Math.max(0, Math.min(length, size - offset))) };

  function readPieces(offset: number, length: number): Uint8Array {
    const bytes = Buffer.alloc(length);
    for (let done = 0; done < length; ) {
      const [index, within] = [Math.floor((offset + done) / cluster), (offset + done) % cluster];
      const some = Math.min(length - done, cluster - within);
      const place = placeOf(index);
      if (place !== undefined) bytes.set(readBytes(place + within, some), done);
      done += some;
    }
    return bytes;
  }
}
