// Caches compressed archives. Compression is the slowest step of a build in which only the policy changed.

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { compressReproducibly } from "../../../engine/image/rootfs/initrd.ts";
import { placeBytes } from "../../host/output.ts";
import { listOlderFiles } from "./cache.ts";

/**
 * Number of compressed archives to keep. There is one for each version of capc and each kind of machine, such as a
 * machine with an encrypted disk.
 */
const KEPT = 8;

/**
 * Returns a function that compresses an archive. The function reads the result from `folder` if the same zlib
 * compressed the same archive before.
 */
export function createPacker(folder: string): (archive: Uint8Array) => Buffer {
  return (archive) => {
    const key = createHash("sha256").update(`${process.versions.zlib}\0`).update(archive).digest("hex").slice(0, 32);
    const path = join(folder, `${key}.gz`);
    const kept = readKept(path, archive);
    if (kept !== undefined) return kept;
    const packed = compressReproducibly(archive);
    mkdirSync(folder, { recursive: true });
    // If the compressed archive cannot be stored, the next build compresses the archive again.
    placeBytes(path, packed);
    for (const old of listOlderFiles(KEPT, folder, ".gz")) rmSync(old, { force: true });
    return packed;
  };
}

/** Returns the cached file, or `undefined` if it is missing or a power failure truncated it. */
function readKept(path: string, archive: Uint8Array): Buffer | undefined {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
  const packed = readFileSync(path);
  if (!isWhole(packed, archive)) return undefined;
  const now = new Date();
  utimesSync(path, now, now);
  return packed;
}

/** Returns whether the gzip file ends with the checksum and the size of the archive, so that it is complete. */
function isWhole(packed: Buffer, archive: Uint8Array): boolean {
  const end = packed.length - 8;
  return end > 0 && packed.readUInt32LE(end) === crc32(archive) && packed.readUInt32LE(end + 4) === archive.length;
}
