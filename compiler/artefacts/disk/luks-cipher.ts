// The ciphers of LUKS2, as far as a data disk needs them: both directions, in memory.

import { argon2Sync, createCipheriv, createDecipheriv, createHash } from "node:crypto";
import type { LuksSlot } from "./luks-header.ts";

/** Node has it since 24.7; the types that are pinned do not know it yet. */
declare module "node:crypto" {
  interface Argon2Parameters {
    readonly message: Uint8Array;
    readonly nonce: Uint8Array;
    readonly parallelism: number;
    readonly tagLength: number;
    /** In KiB. */
    readonly memory: number;
    readonly passes: number;
  }
  function argon2Sync(algorithm: "argon2id", parameters: Argon2Parameters): Buffer;
}

/** AES-256 in XTS mode: two keys. */
export const KEY_BYTES = 64;
const STRIPES = 4000;
/** Size in bytes of a key that is spread over all stripes. */
export const AREA_BYTES: number = STRIPES * KEY_BYTES;
export const DIGEST_BYTES = 32;
/** The unit that initial vectors count, whatever is encrypted as one. */
export const SECTOR = 512;
const CIPHER = "aes-256-xts";

/** The key that opens a keyslot's area. */
export function deriveKey(message: Uint8Array, slot: Omit<LuksSlot, "area">): Buffer {
  const { salt: nonce, kibibytes: memory, passes, lanes: parallelism } = slot;
  return argon2Sync("argon2id", { message, nonce, memory, passes, parallelism, tagLength: KEY_BYTES });
}

/** The key that was spread over the stripes. */
export function mergeStripes(area: Uint8Array): Buffer {
  const key = foldStripes(area);
  mix(key, area.subarray(AREA_BYTES - KEY_BYTES));
  return key;
}

/** Sets the last of the stripes, all others of which are random, so that the key comes out. */
export function spread(key: Uint8Array, area: Buffer): void {
  const last = foldStripes(area);
  mix(last, key);
  last.copy(area, AREA_BYTES - KEY_BYTES);
}

/** All stripes but the last, each mixed in and diffused. */
function foldStripes(area: Uint8Array): Buffer {
  const key = Buffer.alloc(KEY_BYTES);
  for (let at = 0; at < AREA_BYTES - KEY_BYTES; at += KEY_BYTES) {
    mix(key, area.subarray(at, at + KEY_BYTES));
    diffuse(key);
  }
  return key;
}

function mix(into: Buffer, other: Uint8Array): void {
  for (let at = 0; at < KEY_BYTES; at++) into[at] = (into[at] ?? 0) ^ (other[at] ?? 0);
}

function diffuse(key: Buffer): void {
  for (let piece = 0; piece < KEY_BYTES / DIGEST_BYTES; piece++) {
    const number = Buffer.alloc(4);
    number.writeUInt32BE(piece);
    const place = key.subarray(piece * DIGEST_BYTES, (piece + 1) * DIGEST_BYTES);
    createHash("sha256").update(number).update(place).digest().copy(place);
  }
}

/** `first`: the number of the first sector, in units of 512 bytes. A sector of zeros was never written, and stays zero. */
export function decryptSectors(bytes: Uint8Array, key: Uint8Array, sector: number, first: number): Buffer {
  const plain = Buffer.alloc(bytes.length);
  for (let at = 0; at + sector <= bytes.length; at += sector) {
    const piece = bytes.subarray(at, at + sector);
    if (piece.every((byte) => byte === 0)) continue;
    createDecipheriv(CIPHER, key, createVector(first + at / SECTOR))
      .update(piece)
      .copy(plain, at);
  }
  return plain;
}

/** Every sector, zeros as well: what a disk does not say becomes noise when it is read. */
export function encryptSectors(bytes: Uint8Array, key: Uint8Array, sector: number, first: number): Buffer {
  const secret = Buffer.alloc(bytes.length);
  for (let at = 0; at + sector <= bytes.length; at += sector) {
    const piece = bytes.subarray(at, at + sector);
    createCipheriv(CIPHER, key, createVector(first + at / SECTOR))
      .update(piece)
      .copy(secret, at);
  }
  return secret;
}

function createVector(sector: number): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.writeBigUInt64LE(BigInt(sector));
  return bytes;
}
