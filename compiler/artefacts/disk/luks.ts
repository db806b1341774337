// Decrypts a data disk: the LUKS2 header is parsed as untrusted input, and the disk inside is copied out in plain.
// `engine/image/init/src/luks` accepts the same headers; tests compare both with Debian's cryptsetup.

import { createHash, pbkdf2Sync } from "node:crypto";
import { closeSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { accept, type Result, refuse } from "../../../engine/lib/result/result.ts";
import { createReader, explainRefusal } from "../../host/files.ts";
import type { Partition } from "./gpt.ts";
import { readPartition } from "./image.ts";
import { AREA_BYTES, DIGEST_BYTES, decryptSectors, deriveKey, mergeStripes, SECTOR } from "./luks-cipher.ts";
import { judgeHeader, type LuksHeader, type LuksSlot } from "./luks-header.ts";

const BINARY_BYTES = 4096;
const HEADER_SIZES = [16, 32, 64].map((size) => size * 1024);
const CHUNK_BYTES = 1024 * 1024;

/** Reads `length` bytes at `offset` of the partition, or fewer if the partition ends before the end of this range. */
type ReadAt = (offset: number, length: number) => Uint8Array;

/**
 * Copies the disk inside the only encrypted partition of the image `path` to a new sparse file `to` of the same size.
 * Fails if the partition cannot be unlocked, or if a file cannot be read or written.
 */
export function copyUnlocked(path: string, passphrase: Uint8Array, to: string): Result<undefined> {
  const partition = readPartition(path, "encrypted", "encrypted partition");
  if (!partition.ok) return partition;
  const { size } = partition.value;
  try {
    const file = openSync(path, "r");
    try {
      const readAt = restrictToPartition(createReader(file), partition.value);
      const opened = unlock(readAt, size, passphrase);
      if (!opened.ok) return { ok: false, reason: `${path}: ${opened.reason}` };
      copy(readAt, size, opened.value, to);
      return { ok: true, value: undefined };
    } finally {
      closeSync(file);
    }
  } catch (error) {
    return { ok: false, reason: explainRefusal(path, error) };
  }
}

/** Returns a reader of one partition of the disk. */
export function restrictToPartition(readAt: ReadAt, { offset }: Partition): ReadAt {
  return (at, length) => readAt(offset + at, length);
}

/** The header of a partition, and the key that the passphrase unlocked. */
export interface UnlockedVolume {
  readonly header: LuksHeader;
  readonly key: Uint8Array;
}

/** Unlocks a partition of `size` bytes with a passphrase. Fails with the reason if the partition cannot be opened. */
export function unlock(readAt: ReadAt, size: number, passphrase: Uint8Array): Result<UnlockedVolume> {
  const text = readMetadata(readAt);
  if (text === undefined) return refuse("there is no sound LUKS2 header");
  const header = judgeHeader(text.json, text.size, size);
  if (!header.ok) return refuse(`its encryption header: ${header.reason}`);
  const { proof } = header.value;
  for (const slot of header.value.slots) {
    const key = recoverKey(readAt, slot, passphrase);
    if (key === undefined) continue;
    if (pbkdf2Sync(key, proof.salt, proof.rounds, DIGEST_BYTES, "sha256").equals(proof.digest))
      return accept({ header: header.value, key });
  }
  return refuse("its passphrase is another");
}

/** Returns the JSON text of the newer copy of the LUKS header, considering only valid copies. */
function readMetadata(readAt: ReadAt): { readonly json: string; readonly size: number } | undefined {
  const first = copyAt(readAt, 0);
  const seconds = first === undefined ? HEADER_SIZES : [first.size];
  const second = seconds.map((at) => copyAt(readAt, at)).find((copy) => copy !== undefined);
  return first !== undefined && second !== undefined && second.sequence > first.sequence ? second : (first ?? second);
}

function copyAt(readAt: ReadAt, at: number): { json: string; size: number; sequence: bigint } | undefined {
  const start = Buffer.from(readAt(at, BINARY_BYTES));
  if (start.length < BINARY_BYTES) return undefined;
  const magic = start.toString("latin1", 0, 6);
  const size = HEADER_SIZES.find((one) => BigInt(one) === start.readBigUInt64BE(8));
  const isOurs = magic === (at === 0 ? "LUKS\xba\xbe" : "SKUL\xba\xbe") && start.readUInt16BE(6) === 2;
  if (!isOurs || size === undefined || start.readBigUInt64BE(256) !== BigInt(at)) return undefined;
  if (!start.toString("latin1", 72, 104).startsWith("sha256\0")) return undefined;
  const whole = Buffer.from(readAt(at, size));
  const checksum = Buffer.from(whole.subarray(448, 480));
  whole.fill(0, 448, 512);
  if (whole.length !== size || !createHash("sha256").update(whole).digest().equals(checksum)) return undefined;
  const end = whole.indexOf(0, BINARY_BYTES);
  if (end < 0) return undefined;
  return { json: whole.toString("utf8", BINARY_BYTES, end), size, sequence: start.readBigUInt64BE(16) };
}

function recoverKey(readAt: ReadAt, slot: LuksSlot, passphrase: Uint8Array): Buffer | undefined {
  const area = readAt(slot.area, AREA_BYTES);
  return area.length < AREA_BYTES
    ? undefined
    : mergeStripes(decryptSectors(area, deriveKey(passphrase, slot), SECTOR, 0));
}

/** Returns a reader of the decrypted disk inside a partition. */
export function createPlainReader(readAt: ReadAt, { header, key }: UnlockedVolume): ReadAt {
  const { sector, dataAt } = header;
  return (offset, length) => {
    const from = Math.floor(offset / sector) * sector;
    const to = Math.ceil((offset + length) / sector) * sector;
    const plain = decryptSectors(readAt(dataAt + from, to - from), key, sector, from / SECTOR);
    return plain.subarray(offset - from, offset - from + length);
  };
}

function copy(readAt: ReadAt, size: number, unlocked: UnlockedVolume, to: string): void {
  const file = openSync(to, "wx", 0o600);
  try {
    const end = size - unlocked.header.dataAt;
    const inside = createPlainReader(readAt, unlocked);
    ftruncateSync(file, end);
    for (let at = 0; at < end; at += CHUNK_BYTES) {
      const plain = inside(at, Math.min(CHUNK_BYTES, end - at));
      if (plain.some((byte) => byte !== 0)) writeSync(file, plain, 0, plain.length, at);
    }
  } finally {
    closeSync(file);
  }
}
