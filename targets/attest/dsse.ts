// Encodes and parses DSSE envelopes: the signed bytes include their type, so that a signature cannot be used for another type.

import { createHash } from "node:crypto";

/** The JSON form of an envelope; `payload` and `sig` are base64. */
interface Envelope {
  readonly payloadType: string;
  readonly payload: string;
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[];
}

export interface EnvelopeSigner {
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  readonly sign: (bytes: Uint8Array) => Uint8Array;
}

export function createEnvelope(payloadType: string, payload: Uint8Array, key: EnvelopeSigner): Envelope {
  const sig = encodeBase64(key.sign(encodeSignedText(payloadType, payload)));
  return { payloadType, payload: encodeBase64(payload), signatures: [{ keyid: computeKeyId(key.publicKey), sig }] };
}

/** Returns the bytes that a signature covers. As DSSE requires, the length of each part comes before the part. */
export function encodeSignedText(payloadType: string, payload: Uint8Array): Uint8Array {
  const type = Buffer.from(payloadType, "utf8");
  return Buffer.concat([Buffer.from(`DSSEv1 ${type.length} ${payloadType} ${payload.length} `, "utf8"), payload]);
}

/** Returns the SHA-256 of the public key, in hexadecimal. The key id is only a hint, and must not be trusted. */
export function computeKeyId(publicKey: Uint8Array): string {
  return createHash("sha256").update(publicKey).digest("hex");
}

function encodeBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

/** Returns an untrusted envelope with its payload; `undefined` if the bytes are not an envelope. */
export function readEnvelope(bytes: Uint8Array): { readonly envelope: Envelope; readonly payload: Buffer } | undefined {
  const envelope = parseJson(bytes);
  if (!isEnvelope(envelope)) return undefined;
  return { envelope, payload: Buffer.from(envelope.payload, "base64") };
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    return undefined;
  }
}

function isEnvelope(value: unknown): value is Envelope {
  if (value === null || typeof value !== "object") return false;
  const { payloadType, payload, signatures } = value as Readonly<Record<string, unknown>>;
  const texts = typeof payloadType === "string" && typeof payload === "string";
  return texts && Array.isArray(signatures) && signatures.every((each) => typeof each?.sig === "string");
}
