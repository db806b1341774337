// Makes the small empty file system that init writes to a blank data disk and the kernel then grows (src/boot/disk/create.rs):
//
//    node engine/image/init/file-system.ts           compares it with the present output of mke2fs
//    node engine/image/init/file-system.ts --write   accepts the present output of mke2fs
//
// Exits with 0, or with 1 and the reason. The file system is stored as its pieces that are not zero: offset and length,
// 32 bits each, then the bytes.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const KEPT = fileURLToPath(new URL("src/boot/disk/empty.ext4", import.meta.url));
/** Size of the empty file system: the minimum with a journal. `TEMPLATE_BYTES` in create.rs is the same number. */
const BYTES = 16 * 1024 * 1024;
const PIECE = 32;
/**
 * UUID of the file system, from which its checksums are computed. All disks may share this UUID, because init finds a
 * disk by the name of a partition.
 */
const IDENTIFIER = "63617063-0000-4000-8000-000000000001";
/**
 * Options of mke2fs: 2048 inodes, one for each 64 KiB of a group of 128 MiB, and space for the group descriptors of 1
 * TiB.
 */
const SHAPE = [
  "-O",
  "quota,project",
  "-b",
  "4096",
  "-N",
  "2048",
  "-m",
  "1",
  "-J",
  "size=4",
  "-L",
  "capos-data",
  "-U",
  IDENTIFIER,
];
const GROWTH = "resize=268435456";
/** Option for project quotas: the file system counts the data in the directory of each service. */
const COUNTED = "quotatype=prjquota";

/** Returns the file system that mke2fs of this machine makes, or the reason for which it fails. */
export function emptyFileSystem(): { readonly bytes: Buffer } | { readonly reason: string } {
  const folder = mkdtempSync(join(tmpdir(), "capos-ext4-"));
  try {
    const image = join(folder, "image");
    writeFileSync(image, "");
    truncateSync(image, BYTES);
    const options = `lazy_itable_init=0,lazy_journal_init=0,root_owner=0:0,hash_seed=${IDENTIFIER},${GROWTH},${COUNTED}`;
    const env = { PATH: `${process.env["PATH"]}:/usr/sbin:/sbin`, LC_ALL: "C", E2FSPROGS_FAKE_TIME: "1" };
    const words = ["-q", "-F", "-t", "ext4", ...SHAPE, "-E", options, image];
    const { status, stderr, error } = spawnSync("mke2fs", words, { encoding: "utf8", env });
    if (status !== 0) return { reason: `mke2fs: ${error?.message ?? stderr.trim()}` };
    return { bytes: readFileSync(image) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the parts of the image that are not zero, each behind its offset and length. Adjacent parts are joined. */
export function packed(image: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < image.length; ) {
    let end = at;
    while (end < image.length && !isZero(image.subarray(end, end + PIECE))) end += PIECE;
    if (end > at) {
      const head = Buffer.alloc(8);
      head.writeUInt32LE(at, 0);
      head.writeUInt32LE(end - at, 4);
      parts.push(head, image.subarray(at, end));
    }
    at = end + PIECE;
  }
  return Buffer.concat(parts);
}

const ZEROS = Buffer.alloc(PIECE);

function isZero(bytes: Buffer): boolean {
  return ZEROS.equals(bytes);
}

/** Reverses `packed`: returns the image that the pieces come from. */
export function unpacked(pieces: Buffer): Buffer {
  const image = Buffer.alloc(BYTES);
  for (let at = 0; at < pieces.length; ) {
    const [place, length] = [pieces.readUInt32LE(at), pieces.readUInt32LE(at + 4)];
    pieces.copy(image, place, at + 8, at + 8 + length);
    at += 8 + length;
  }
  return image;
}

export function keptFileSystem(): Buffer {
  return readFileSync(KEPT);
}

function main(words: readonly string[]): number {
  const made = emptyFileSystem();
  if ("reason" in made) {
    process.stderr.write(`${made.reason}\n`);
    return 1;
  }
  const pieces = packed(made.bytes);
  if (words.includes("--write")) writeFileSync(KEPT, pieces);
  if (keptFileSystem().equals(pieces)) return 0;
  process.stderr.write("mke2fs makes another file system than the one that is kept\n");
  return 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main(process.argv.slice(2));
