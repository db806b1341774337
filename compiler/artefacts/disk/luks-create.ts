// Creates an encrypted data disk on the host from an unencrypted one. Its header equals the one that
// `engine/image/init/src/luks/create.rs` writes; tests check both with Debian's cryptsetup.

import { createHash, pbkdf2Sync, randomBytes, randomUUID } from "node:crypto";
import { closeSync, fstatSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { createReader } from "../../host/files.ts";
import { encodeTable, type Table } from "./gpt.ts";
import { AREA_BYTES, DIGEST_BYTES, deriveKey, encryptSectors, KEY_BYTES, SECTOR, spread } from "./luks-cipher.ts";

const MIB = 1024 * 1024;
/** Offset in bytes of the data within the partition. */
const LOCKED_AT: number = 2 * MIB;
/** Bytes by which an encrypted disk is larger than the unencrypted one: the LUKS header, and 1 MiB at each end. */
const LOCKED_MORE: number = LOCKED_AT + 2 * MIB;
const FILES_NUMBER = 4;
const COST = { kibibytes: 64 * 1024, passes: 3, lanes: 4 };
/**
 * Number of PBKDF2 rounds for the digest of the key: cryptsetup's minimum, which is enough, because a random key cannot
 * be guessed.
 */
const ROUNDS = 1000;
const SALT_BYTES = 32;
const COPY_BYTES = 16 * 1024;
const TEXT_AT = 4096;
const CHECKSUM_AT = 448;
/** Size in bytes of one encryption sector. */
const UNIT = 4096;
const CHUNK_BYTES = MIB;
const CIPHER = "aes-xts-plain64";

/**
 * Writes a new disk `to` whose only partition `name` contains the disk `from`, encrypted. The keys are random, so the
 * bytes of `to` differ each time.
 */
export function encryptDisk(from: string, passphrase: Uint8Array, name: string, to: string): void {
  const source = openSync(from, "r");
  const file = openSync(to, "wx", 0o600);
  try {
    const inner = fstatSync(source).size;
    const size = inner + LOCKED_MORE;
    const table = layOut(inner, name);
    const { first, second } = encodeTable(table, size);
    const { bytes, key } = createHeader(passphrase);
    ftruncateSync(file, size);
    writeSync(file, first, 0, first.length, 0);
    writeSync(file, bytes, 0, bytes.length, MIB);
    const readAt = createReader(source);
    for (let at = 0; at < inner; at += CHUNK_BYTES) {
      const secret = encryptSectors(readAt(at, Math.min(CHUNK_BYTES, inner - at)), key, UNIT, at / SECTOR);
      writeSync(file, secret, 0, secret.length, MIB + LOCKED_AT + at);
    }
    writeSync(file, second, 0, second.length, size - second.length);
  } finally {
    closeSync(file);
    closeSync(source);
  }
}

function layOut(inner: number, name: string): Table {
  const place = { offset: MIB, size: inner + LOCKED_AT };
  return {
    disk: randomUUID(),
    partitions: [{ number: FILES_NUMBER, kind: "encrypted", id: randomUUID(), name, ...place }],
  };
}

/**
 * Creates the volume key, both copies of the header, and the first keyslot, which contains the volume key in encrypted
 * form.
 */
function createHeader(passphrase: Uint8Array): { readonly bytes: Buffer; readonly key: Buffer } {
  const [key, salt, proofSalt] = [randomBytes(KEY_BYTES), randomBytes(SALT_BYTES), randomBytes(SALT_BYTES)];
  const stripes = randomBytes(AREA_BYTES);
  spread(key, stripes);
  const area = encryptSectors(stripes, deriveKey(passphrase, { salt, ...COST }), SECTOR, 0);
  const digest = pbkdf2Sync(key, proofSalt, ROUNDS, DIGEST_BYTES, "sha256");
  const text = JSON.stringify(createMetadata(salt, proofSalt, digest));
  const id = randomUUID();
  const copies = [copyOf(text, id, 0), copyOf(text, id, COPY_BYTES)];
  return { bytes: Buffer.concat([...copies, area]), key };
}

function createMetadata(salt: Buffer, proofSalt: Buffer, digest: Buffer): object {
  const slot = {
    type: "luks2",
    key_size: KEY_BYTES,
    af: { type: "luks1", stripes: AREA_BYTES / KEY_BYTES, hash: "sha256" },
    area: {
      type: "raw",
      offset: String(2 * COPY_BYTES),
      size: String(Math.ceil(AREA_BYTES / UNIT) * UNIT),
      encryption: CIPHER,
      key_size: KEY_BYTES,
    },
    kdf: {
      type: "argon2id",
      time: COST.passes,
      memory: COST.kibibytes,
      cpus: COST.lanes,
      salt: salt.toString("base64"),
    },
  };
  const segment = {
    type: "crypt",
    offset: String(LOCKED_AT),
    size: "dynamic",
    iv_tweak: "0",
    encryption: CIPHER,
    sector_size: UNIT,
  };
  const proof = {
    type: "pbkdf2",
    keyslots: ["0"],
    segments: ["0"],
    hash: "sha256",
    iterations: ROUNDS,
    salt: proofSalt.toString("base64"),
    digest: digest.toString("base64"),
  };
  const config = { json_size: String(COPY_BYTES - TEXT_AT), keyslots_size: String(LOCKED_AT - 2 * COPY_BYTES) };
  return { keyslots: { 0: slot }, tokens: {}, segments: { 0: segment }, digests: { 0: proof }, config };
}

function copyOf(text: string, id: string, at: number): Buffer {
  const copy = Buffer.alloc(COPY_BYTES);
  copy.write(at === 0 ? "LUKS\xba\xbe" : "SKUL\xba\xbe", 0, "latin1");
  copy.writeUInt16BE(2, 6);
  copy.writeBigUInt64BE(BigInt(COPY_BYTES), 8);
  copy.writeBigUInt64BE(1n, 16);
  copy.write("sha256", 72, "latin1");
  randomBytes(64).copy(copy, 104);
  copy.write(id, 168, "latin1");
  copy.writeBigUInt64BE(BigInt(at), 256);
  copy.write(text, TEXT_AT, "utf8");
  createHash("sha256").update(copy).digest().copy(copy, CHECKSUM_AT);
  return copy;
}
