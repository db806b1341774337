// Reads the signers of a program for UEFI: the certificates in its table of signatures. This module does not verify
// signatures; which signers are trusted depends on each machine.

import { X509Certificate } from "node:crypto";

/** Bytes of an entry's header in the table: its length, its revision, and 2 for signatures in the form PKCS #7. */
const HEADER = 8;
const PKCS_SIGNED_DATA = 2;
const ALIGNMENT = 8;
/** Maximum number of certificates to read; a signature has one, or a chain of a few. */
const MOST_CERTIFICATES = 16;

/** Returns the certificates in the order of the table; none if the bytes are not such a table. */
export function readSigners(signatures: Buffer): readonly X509Certificate[] {
  const found: X509Certificate[] = [];
  for (let at = 0; at + HEADER <= signatures.length; ) {
    const length = signatures.readUInt32LE(at);
    if (length < HEADER || at + length > signatures.length) break;
    if (signatures.readUInt16LE(at + 6) === PKCS_SIGNED_DATA)
      found.push(...readCertificates(signatures.subarray(at + HEADER, at + length)));
    at += Math.ceil(length / ALIGNMENT) * ALIGNMENT;
  }
  return found.slice(0, MOST_CERTIFICATES);
}

const SEQUENCE = 0x30;
/** Tag of the content of a ContentInfo, and of the certificates of signed data: context-specific, number 0. */
const ZERO = 0xa0;

interface Value {
  readonly tag: number;
  readonly content: Buffer;
  /** Bytes of the value, with its tag and its length. */
  readonly whole: Buffer;
}

/** Reads this structure: ContentInfo { type, [0] SignedData { version, digests, content, [0] certificates, … } } */
function readCertificates(bytes: Buffer): readonly X509Certificate[] {
  const [info] = parseDerValues(bytes);
  const content = info && parseDerValues(info.content).find(({ tag }) => tag === ZERO);
  const [data] = content === undefined ? [] : parseDerValues(content.content);
  const certificates = data && parseDerValues(data.content).find(({ tag }) => tag === ZERO);
  if (certificates === undefined) return [];
  return parseDerValues(certificates.content)
    .filter(({ tag }) => tag === SEQUENCE)
    .flatMap(({ whole }) => parseCertificate(whole));
}

function parseCertificate(bytes: Buffer): readonly X509Certificate[] {
  try {
    return [new X509Certificate(bytes)];
  } catch {
    return [];
  }
}

/** Returns consecutive DER values, up to the first malformed one. */
function parseDerValues(bytes: Buffer): readonly Value[] {
  const values: Value[] = [];
  for (let at = 0; at + 2 <= bytes.length; ) {
    const [tag = 0, short = 0] = bytes.subarray(at, at + 2);
    const more = short < 0x80 ? 0 : short - 0x80;
    // A value whose length takes more than three bytes has 16 MiB or more; signatures of a program are smaller.
    if (more > 3 || short === 0x80 || at + 2 + more > bytes.length) break;
    const length = more === 0 ? short : bytes.readUIntBE(at + 2, more);
    const end = at + 2 + more + length;
    if (end > bytes.length) break;
    values.push({ tag, content: bytes.subarray(at + 2 + more, end), whole: bytes.subarray(at, end) });
    at = end;
  }
  return values;
}
