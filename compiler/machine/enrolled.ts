// Creates the variables of a machine whose owner has enrolled one certificate for Secure Boot. The variables are
// written into a copy of OVMF's empty store, in the form of its driver. Such a machine starts only programs that the
// owner signed.

import { X509Certificate } from "node:crypto";
import type { Result } from "../../engine/lib/result/result.ts";
import { encodeGuid } from "../artefacts/disk/gpt.ts";

const VOLUME_HEADER_LENGTH = 48;
const STORE_HEADER = 28;
const STORE = encodeGuid("aaf32c78-947b-439a-a180-2e144ec37792");
const GLOBAL = encodeGuid("8be4df61-93ca-11d2-aa0d-00e098032b8c");
const DATABASE = encodeGuid("d719b2cb-3d3a-4596-a3bc-dad00e67656f");
const X509 = encodeGuid("a5c059a1-94e4-4aa7-87b5-ab155c2bf072");
/** Owner of the certificates; no firmware checks it. */
const OWNER = encodeGuid("63617063-0000-4000-8000-000000000003");
/**
 * Attributes of each variable: it is kept in non-volatile memory, firmware and system can read it, and a change needs a
 * signature that contains a time.
 */
const ATTRIBUTES = 0x27;
/** Time of each variable, 2000-01-01: a change must have a later time. */
const TIME = Buffer.from([0xd0, 0x07, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);

/**
 * Returns the store `empty` of OVMF with a certificate in PEM added. The certificate becomes the platform key, the key exchange key (which
 * may change other keys), and the key that programs must be signed with to start.
 */
export function enrolCertificate(empty: Buffer, certificate: string): Result<Buffer> {
  const der = readCertificate(certificate);
  if (der === undefined) return { ok: false, reason: "the certificate for Secure Boot is no X.509 certificate in PEM" };
  const store = empty.length < 64 ? 0 : empty.readUInt16LE(VOLUME_HEADER_LENGTH);
  const first = store + STORE_HEADER;
  const records = [
    encodeVariable("PK", GLOBAL, der),
    encodeVariable("KEK", GLOBAL, der),
    encodeVariable("db", DATABASE, der),
  ];
  const all = Buffer.concat(records);
  const isStore = empty.subarray(store, store + 16).equals(STORE);
  const isFree = empty.subarray(first, first + all.length).every((byte) => byte === 0xff);
  if (!isStore || !isFree || empty.length < first + all.length)
    return { ok: false, reason: "OVMF's store of variables is not the empty one that its package has" };
  const variables = Buffer.from(empty);
  all.copy(variables, first);
  return { ok: true, value: variables };
}

function readCertificate(pem: string): Buffer | undefined {
  try {
    return new X509Certificate(pem).raw;
  } catch {
    return undefined;
  }
}

/** Encodes a record of the store; each record begins at a multiple of four bytes. */
function encodeVariable(name: string, vendor: Buffer, certificate: Buffer): Buffer {
  const [text, value] = [Buffer.from(`${name}\0`, "utf16le"), encodeSignatureList(certificate)];
  const header = Buffer.alloc(60);
  header.writeUInt16LE(0x55aa, 0);
  header.writeUInt8(0x3f, 2); // The variable exists
  header.writeUInt32LE(ATTRIBUTES, 4);
  TIME.copy(header, 16);
  header.writeUInt32LE(text.length, 36);
  header.writeUInt32LE(value.length, 40);
  vendor.copy(header, 44);
  const record = Buffer.concat([header, text, value]);
  return Buffer.concat([record, Buffer.alloc(-record.length & 3, 0xff)]);
}

/** Encodes a signature list of UEFI with one certificate. */
function encodeSignatureList(certificate: Buffer): Buffer {
  const sizes = Buffer.alloc(12);
  sizes.writeUInt32LE(28 + 16 + certificate.length, 0);
  sizes.writeUInt32LE(16 + certificate.length, 8);
  return Buffer.concat([X509, sizes, OWNER, certificate]);
}
