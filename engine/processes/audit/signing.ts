// Derives the keys that sign the seals of the audit log. Each key is derived from a seed, and each seed is the one-way
// hash of the previous seed: so the current seed does not reveal earlier seeds.

import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { isSame } from "./record.ts";

export const SEED_BYTES = 32;
export const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

/** Prefix of all signed bytes (domain separation): a signature is not valid for another purpose of the same key. */
const DOMAIN = Buffer.from("capos-v1\0audit-seal\0", "latin1");
/** DER prefixes of PKCS #8 and SubjectPublicKeyInfo for Ed25519, up to the bytes of the key (RFC 8410). */
const PRIVATE_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");
const PUBLIC_HEAD = Buffer.from("302a300506032b6570032100", "hex");

/** Returns the seed of the next epoch. */
export function seedAfter(seed: Uint8Array): Uint8Array {
  return deriveDigest("capos-v1\0audit-next\0", seed);
}

/** Returns the public key of a seed's epoch. */
export function derivePublicKey(seed: Uint8Array): Uint8Array {
  const spki = createPublicKey(derivePrivateKey(seed)).export({ format: "der", type: "spki" });
  return new Uint8Array(spki.subarray(PUBLIC_HEAD.length));
}

export function signHash(seed: Uint8Array, hash: Uint8Array): Uint8Array {
  return new Uint8Array(sign(null, Buffer.concat([DOMAIN, hash]), derivePrivateKey(seed)));
}

/** Returns whether the holder of a key signed this hash. Never throws, whatever the bytes. */
export function isSignedBy(key: Uint8Array, hash: Uint8Array, signature: Uint8Array): boolean {
  if (key.length !== KEY_BYTES || signature.length !== SIGNATURE_BYTES) return false;
  const der = Buffer.concat([PUBLIC_HEAD, key]);
  return verify(
    null,
    Buffer.concat([DOMAIN, hash]),
    createPublicKey({ key: der, format: "der", type: "spki" }),
    signature,
  );
}

export function isKeyOf(key: Uint8Array, seed: Uint8Array): boolean {
  return isSame(key, derivePublicKey(seed));
}

/** Derives the key from the seed. The seed itself signs nothing, so that a weakness of signatures cannot reveal later seeds. */
function derivePrivateKey(seed: Uint8Array): KeyObject {
  const der = Buffer.concat([PRIVATE_HEAD, deriveDigest("capos-v1\0audit-sign\0", seed)]);
  return createPrivateKey({ key: der, format: "der", type: "pkcs8" });
}

function deriveDigest(words: string, seed: Uint8Array): Uint8Array {
  return createHash("sha256").update(words, "latin1").update(seed).digest();
}
