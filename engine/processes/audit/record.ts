// Encodes and decodes one record of the audit log. Only the canonical form is valid. So a record has exactly one
// encoding, and bytes after its end make it invalid.

import { hash } from "node:crypto";
import { accept, type Result, refuse } from "../../lib/result/result.ts";
import { AuditRecord } from "../../lib/wire/generated/audit.ts";
import { decode, encodeMessage, type Limits } from "../../lib/wire/index.ts";

/** The only version that this code writes and reads. */
export const RECORD_SCHEMA_VERSION = 1;
/** Most bytes of a record with its header: a record contains one entry, and an entry arrives in one frame. */
export const MAX_RECORD_BYTES = 1024 * 1024;
export const HEADER_BYTES = 8;
export const HASH_BYTES = 32;
export const BOOT_ID_BYTES = 16;
/** The hash that the first record names as its predecessor. */
export const NO_HASH: Uint8Array = new Uint8Array(HASH_BYTES);

/** `emptyElements` is 0, because no list in a record has elements of size 0. */
const LIMITS: Limits = { bytes: MAX_RECORD_BYTES - HEADER_BYTES, depth: 32, emptyElements: 0 };

/** Returns the SHA-256 of a whole record, including its header. */
export function hashOf(message: Uint8Array): Uint8Array {
  return hash("sha256", message, "buffer");
}

export function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}

/**
 * Returns the number of bytes that the header claims for header and body together. Fails if the bytes are not a header
 * of a record.
 */
export function readClaimedBytes(header: Uint8Array): Result<number> {
  const view = new DataView(header.buffer, header.byteOffset, HEADER_BYTES);
  const segments = view.getUint32(0, true) + 1;
  if (segments !== 1) return refuse(`a record has ${segments} segments`);
  const bytes = HEADER_BYTES + view.getUint32(4, true) * 8;
  if (bytes === HEADER_BYTES) return refuse("a record has no words");
  return bytes <= MAX_RECORD_BYTES ? accept(bytes) : refuse(`a record claims ${bytes} bytes`);
}

/** Reads one whole message. Fails if the bytes are not a canonical record of this version; never throws. */
export function recordFrom(message: Uint8Array): Result<AuditRecord> {
  const read = decode(AuditRecord, message.subarray(HEADER_BYTES), LIMITS);
  if (!read.ok) return read;
  const { schemaVersion } = read.value;
  if (schemaVersion !== RECORD_SCHEMA_VERSION)
    return refuse(`the record has schema version ${schemaVersion}, this reader knows ${RECORD_SCHEMA_VERSION} only`);
  if (!isSame(encodeMessage(AuditRecord, read.value), message)) return refuse("the record is not in canonical form");
  return read;
}
