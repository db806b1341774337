// Makes signatures over artefacts, as manifest.capnp defines them and init checks them.
import { createHash, createPublicKey, type KeyObject, sign } from "node:crypto";
import { Signature, Trust, type TrustPurpose } from "../../engine/lib/wire/generated/manifest.ts";
import { encodeMessage } from "../../engine/lib/wire/index.ts";

const SCHEMA_VERSION = 1;

/** An Ed25519 key with which artefacts are signed. */
export interface SigningKey {
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  /** Returns the 64 bytes of a signature over these bytes. */
  readonly sign: (bytes: Uint8Array) => Uint8Array;
  /** Whether the key was made at random for one checkout; the image reports this when it boots. */
  readonly development: boolean;
}

/** Values that a signature covers besides the artefact. */
interface Subject {
  readonly purpose: TrustPurpose;
  readonly systemId: string;
  readonly version: string;
}

/**
 * Returns the signed bytes: the text `capos-v1`, the purpose, the system's id and the version, each followed by a zero
 * byte. The SHA-256 of the artefact follows.
 */
export function encodeSignedBytes({ purpose, systemId, version }: Subject, artefact: Uint8Array): Uint8Array {
  const words = ["capos-v1", purpose, systemId, version].map((word) => `${word}\0`).join("");
  return Buffer.concat([Buffer.from(words), createHash("sha256").update(artefact).digest()]);
}

/** Returns the bytes of NAME.sig. Ed25519 is deterministic: the same key and artefact give the same bytes. */
export function signArtefact(subject: Subject, artefact: Uint8Array, key: SigningKey): Uint8Array {
  return encodeMessage(Signature, {
    schemaVersion: SCHEMA_VERSION,
    ...subject,
    publicKey: key.publicKey,
    signature: key.sign(encodeSignedBytes(subject, artefact)),
  });
}

/** Public keys of 32 bytes, in addition to the key that signs the image. */
interface OtherKeys {
  /** Further keys that may sign images. For example, an image trusts the next key before the first image is signed with the next key. */
  readonly images?: readonly Uint8Array[];
  /** Keys that may sign weights. The key that signs images may sign weights only if it is among these keys. */
  readonly weights?: readonly Uint8Array[];
}

/** Returns the bytes of trust.bin for the initrd: `key` may sign images of this system, from this version on. */
export function encodeTrust(
  { systemId, version }: Omit<Subject, "purpose">,
  key: Omit<SigningKey, "sign">,
  { images = [], weights = [] }: OtherKeys = {},
): Uint8Array {
  const signers = new Set([key.publicKey, ...images].map(nameOf));
  const vouchers = new Set(weights.map(nameOf));
  const listPurposes = (name: string): readonly TrustPurpose[] => [
    ...(signers.has(name) ? (["image"] as const) : []),
    ...(vouchers.has(name) ? (["weights"] as const) : []),
  ];
  return encodeMessage(Trust, {
    schemaVersion: SCHEMA_VERSION,
    systemId,
    development: key.development,
    leastVersion: version,
    keys: [...new Set([...signers, ...vouchers])].map((name) => ({
      publicKey: new Uint8Array(Buffer.from(name, "hex")),
      purposes: listPurposes(name),
    })),
  });
}

const nameOf = (key: Uint8Array): string => Buffer.from(key).toString("hex");

/** Returns the signing key. A development key was made at random for one checkout. */
export function createSigningKey(privateKey: KeyObject, origin: "development" | "own"): SigningKey {
  return {
    publicKey: exportPublicBytes(privateKey),
    sign: (bytes) => sign(null, bytes, privateKey),
    development: origin === "development",
  };
}

/** Returns the 32 bytes of an Ed25519 public key, without its SPKI envelope. */
export function exportPublicBytes(privateKey: KeyObject): Uint8Array {
  return new Uint8Array(createPublicKey(privateKey).export({ type: "spki", format: "der" }).subarray(-32));
}

/** First bytes of an encoded public key. Keys are exchanged as 32 bytes, but Node requires the SPKI envelope of RFC 8410. */
const ENVELOPE = Buffer.from("302a300506032b6570032100", "hex");

/** Returns the key with these bytes, or `undefined` if there are not 32 bytes. */
export function importPublicKey(bytes: Uint8Array): KeyObject | undefined {
  if (bytes.length !== 32) return undefined;
  return createPublicKey({ key: Buffer.concat([ENVELOPE, bytes]), format: "der", type: "spki" });
}
