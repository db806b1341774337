// Encrypts and decrypts in memory with the ciphers of LUKS2 that a data disk needs.

import { argon2Sync, createCipheriv, createDecipheriv, createHash } from "node:crypto";
import type { LuksSlot } from "./luks-header.ts";

/** Node.js has this function since 24.7, but the pinned types do not declare it yet. */
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

/** AES-256 in XTS mode uses two keys of 32 bytes. */
export const KEY_BYTES = 64;
const STRIPES = 4000;
/** Size in bytes of a key that is spread over all stripes. */
export const AREA_BYTES: number = STRIPES * KEY_BYTES;
export const DIGEST_BYTES = 32;
/** Initialisation vectors count sectors of this size, even if an encryption sector is larger. */
export const SECTOR = 512;
const CIPHER = "aes-256-xts";

/** Derives the key that decrypts the area of a keyslot. `message` is the passphrase. */
export function deriveKey(message: Uint8Array, slot: Omit<LuksSlot, "area">): Buffer {
  const { salt: nonce, kibibytes: memory, passes, lanes: parallelism } = slot;
  return argon2Sync("argon2id", { message, nonce, memory, passes, parallelism, tagLength: KEY_BYTES });
}

/** Merges the stripes into the key that was spread over them. */
export function mergeStripes(area: Uint8Array): Buffer {
  const key = foldStripes(area);
  mix(key, area.subarray(AREA_BYTES - KEY_BYTES));
  return key;
}

/**
 * Fills the last stripe so that merging all stripes returns `key`; the other stripes of `area` already contain random
 * bytes.
 */
export function spread(key: Uint8Array, area: Buffer): void {
  const last = foldStripes(area);
  mix(last, key);
  last.copy(area, AREA_BYTES - KEY_BYTES);
}

/**
 * Combines all stripes but the last: mixes each stripe into the result of the stripes before it, and diffuses the
 * result.
 */
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

/**
 * Decrypts sectors of `sector` bytes each. `first` is the number of the first sector, in units of 512 bytes. A sector of zeros counts as
 * never written, so its content is returned as zeros.
 */
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

/**
 * Encrypts every sector, also a sector of zeros: a reader that decrypts every sector would read unencrypted zeros as
 * noise.
 */
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
