// What is inside an encrypted data disk: its LUKS2 header is read with distrust, and the disk inside is copied out in plain.
// `engine/init/src/luks` takes the same headers; Debian's cryptsetup is the judge of both.

import { argon2Sync, createDecipheriv, createHash, pbkdf2Sync } from "node:crypto";
import { closeSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { type FileRead, whyNot } from "../files.ts";
import { partitionOf } from "./image.ts";
import { judgeHeader, type LuksHeader, type LuksSlot } from "./luks-header.ts";

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

const KEY_BYTES = 64;
const STRIPES = 4000;
const DIGEST_BYTES = 32;
/** The unit that initial vectors count, whatever is encrypted as one. */
const SECTOR = 512;
const BINARY_BYTES = 4096;
const HEADER_SIZES = [16, 32, 64].map((size) => size * 1024);
const CHUNK_BYTES = 1024 * 1024;

/** Reads so many bytes at an offset of the partition; fewer where it ends. */
type ReadAt = (offset: number, length: number) => Buffer;

/** Copies the disk inside the one encrypted partition of the image `path` to a new file `to`. It is as large, and sparse. */
export function copyUnlocked(path: string, passphrase: Uint8Array, to: string): FileRead<undefined> {
  const partition = partitionOf(path, "encrypted", "encrypted partition");
  if (!partition.ok) return partition;
  const { offset, size } = partition.value;
  try {
    const file = openSync(path, "r");
    try {
      const readAt: ReadAt = (at, length) => {
        const bytes = Buffer.alloc(length);
        return bytes.subarray(0, readSync(file, bytes, 0, length, offset + at));
      };
      const opened = unlock(readAt, size, passphrase);
      if (typeof opened === "string") return { ok: false, reason: `${path}: ${opened}` };
      copy(readAt, size, opened, to);
      return { ok: true, value: undefined };
    } finally {
      closeSync(file);
    }
  } catch (error) {
    return { ok: false, reason: whyNot(path, error) };
  }
}

interface Unlocked {
  readonly header: LuksHeader;
  readonly key: Uint8Array;
}

function unlock(readAt: ReadAt, size: number, passphrase: Uint8Array): Unlocked | string {
  const text = textOf(readAt);
  if (text === undefined) return "there is no sound LUKS2 header";
  const header = judgeHeader(text.json, text.size, size);
  if (typeof header === "string") return `its encryption header: ${header}`;
  const { proof } = header;
  for (const slot of header.slots) {
    const key = keyOf(readAt, slot, passphrase);
    if (key === undefined) continue;
    if (pbkdf2Sync(key, proof.salt, proof.rounds, DIGEST_BYTES, "sha256").equals(proof.digest)) return { header, key };
  }
  return "its passphrase is another";
}

/** The text of the newer of the two copies that are sound. */
function textOf(readAt: ReadAt): { readonly json: string; readonly size: number } | undefined {
  const first = copyAt(readAt, 0);
  const seconds = first === undefined ? HEADER_SIZES : [first.size];
  const second = seconds.map((at) => copyAt(readAt, at)).find((copy) => copy !== undefined);
  return first !== undefined && second !== undefined && second.sequence > first.sequence ? second : (first ?? second);
}

function copyAt(readAt: ReadAt, at: number): { json: string; size: number; sequence: bigint } | undefined {
  const start = readAt(at, BINARY_BYTES);
  if (start.length < BINARY_BYTES) return undefined;
  const magic = start.toString("latin1", 0, 6);
  const size = HEADER_SIZES.find((one) => BigInt(one) === start.readBigUInt64BE(8));
  const isOurs = magic === (at === 0 ? "LUKS\xba\xbe" : "SKUL\xba\xbe") && start.readUInt16BE(6) === 2;
  if (!isOurs || size === undefined || start.readBigUInt64BE(256) !== BigInt(at)) return undefined;
  if (!start.toString("latin1", 72, 104).startsWith("sha256\0")) return undefined;
  const whole = readAt(at, size);
  const checksum = Buffer.from(whole.subarray(448, 480));
  whole.fill(0, 448, 512);
  if (whole.length !== size || !createHash("sha256").update(whole).digest().equals(checksum)) return undefined;
  const end = whole.indexOf(0, BINARY_BYTES);
  if (end < 0) return undefined;
  return { json: whole.toString("utf8", BINARY_BYTES, end), size, sequence: start.readBigUInt64BE(16) };
}

function keyOf(readAt: ReadAt, slot: LuksSlot, message: Uint8Array): Buffer | undefined {
  const { salt: nonce, kibibytes: memory, passes, lanes: parallelism } = slot;
  const cost = { memory, passes, parallelism, tagLength: KEY_BYTES };
  const areaKey = argon2Sync("argon2id", { message, nonce, ...cost });
  const area = readAt(slot.area, STRIPES * KEY_BYTES);
  return area.length < STRIPES * KEY_BYTES ? undefined : merged(decrypted(area, areaKey, SECTOR, 0));
}

/** The key that was spread over the stripes. */
function merged(area: Uint8Array): Buffer {
  const key = Buffer.alloc(KEY_BYTES);
  for (let stripe = 0; stripe < STRIPES; stripe++) {
    for (let at = 0; at < KEY_BYTES; at++) key[at] = (key[at] ?? 0) ^ (area[stripe * KEY_BYTES + at] ?? 0);
    if (stripe < STRIPES - 1) diffuse(key);
  }
  return key;
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
function decrypted(bytes: Buffer, key: Uint8Array, sector: number, first: number): Buffer {
  const plain = Buffer.alloc(bytes.length);
  for (let at = 0; at + sector <= bytes.length; at += sector) {
    const piece = bytes.subarray(at, at + sector);
    if (piece.every((byte) => byte === 0)) continue;
    const vector = Buffer.alloc(16);
    vector.writeBigUInt64LE(BigInt(first + at / SECTOR));
    createDecipheriv("aes-256-xts", key, vector).update(piece).copy(plain, at);
  }
  return plain;
}

function copy(readAt: ReadAt, size: number, { header, key }: Unlocked, to: string): void {
  const file = openSync(to, "wx", 0o600);
  try {
    ftruncateSync(file, size - header.dataAt);
    for (let at = 0; at < size - header.dataAt; at += CHUNK_BYTES) {
      const bytes = readAt(header.dataAt + at, Math.min(CHUNK_BYTES, size - header.dataAt - at));
      const plain = decrypted(bytes, key, header.sector, at / SECTOR);
      if (plain.some((byte) => byte !== 0)) writeSync(file, plain, 0, plain.length, at);
    }
  } finally {
    closeSync(file);
  }
}
