// Hybrid public key encryption of RFC 9180, base mode, for one message: X25519, HKDF-SHA256, ChaCha20-Poly1305. The primitives are
// Node's; the tests use the RFC's vectors.

import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  randomBytes,
} from "node:crypto";
import { accept, type Result, refuse } from "../../lib/result/result.ts";

/** Length in bytes of private and public keys and of the encapsulated key. */
export const KEY_BYTES = 32;
const TAG_BYTES = 16;

interface Sealed {
  readonly encapsulated: Uint8Array;
  readonly sealed: Uint8Array;
}

/** Context that is bound to a message; the reader must provide the same context. */
interface Binding {
  readonly info: Uint8Array;
  readonly data: Uint8Array;
}

const number = (value: number): Buffer => Buffer.of(value >> 8, value & 255);
const [KEM, KDF, AEAD] = [number(0x0020), number(0x0001), number(0x0003)];
const KEM_SUITE = Buffer.concat([Buffer.from("KEM"), KEM]);
const SUITE = Buffer.concat([Buffer.from("HPKE"), KEM, KDF, AEAD]);
const VERSION = Buffer.from("HPKE-v1");
const NOTHING = Buffer.alloc(0);
const CIPHER = "chacha20-poly1305";

/** Seals a message to a recipient. `ephemeral`: 32 secret bytes that are used once; a test passes its own. */
export function sealTo(
  recipient: Uint8Array,
  message: Uint8Array,
  binding: Binding,
  ephemeral: Uint8Array = randomBytes(KEY_BYTES),
): Sealed {
  const encapsulated = derivePublicKey(ephemeral);
  const { key, nonce } = deriveKeys(agreeOnKey(ephemeral, recipient), encapsulated, recipient, binding.info);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(binding.data, { plaintextLength: message.length });
  const sealed = Buffer.concat([cipher.update(message), cipher.final(), cipher.getAuthTag()]);
  key.fill(0);
  return { encapsulated, sealed };
}

/**
 * Returns the decrypted message; the caller wipes it. Fails if the message is truncated, or was sealed to another key
 * or with another binding.
 */
export function openWith(privateKey: Uint8Array, { encapsulated, sealed }: Sealed, binding: Binding): Result<Buffer> {
  if (encapsulated.length !== KEY_BYTES || sealed.length < TAG_BYTES) return refuse("it is cut short");
  try {
    const own = derivePublicKey(privateKey);
    const { key, nonce } = deriveKeys(agreeOnKey(privateKey, encapsulated), encapsulated, own, binding.info);
    const cipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
    const end = sealed.length - TAG_BYTES;
    cipher.setAAD(binding.data, { plaintextLength: end });
    cipher.setAuthTag(sealed.subarray(end));
    const opened = cipher.update(sealed.subarray(0, end));
    key.fill(0);
    cipher.final();
    return accept(opened);
  } catch {
    // A point of small order and a wrong tag get the same answer, so that the answer reveals nothing.
    return refuse("it is not what was sealed");
  }
}

export function derivePublicKey(privateKey: Uint8Array): Buffer {
  const spki = createPublicKey(importPrivateKey(privateKey)).export({ type: "spki", format: "der" });
  return spki.subarray(spki.length - KEY_BYTES);
}

/** X25519's prefixes in PKCS #8 and SubjectPublicKeyInfo: all bytes before the 32 of the key. */
const PKCS8 = Buffer.from("302e020100300506032b656e04220420", "hex");
const SPKI = Buffer.from("302a300506032b656e032100", "hex");

function importPrivateKey(bytes: Uint8Array): ReturnType<typeof createPrivateKey> {
  return createPrivateKey({ key: Buffer.concat([PKCS8, bytes]), format: "der", type: "pkcs8" });
}

function agreeOnKey(privateKey: Uint8Array, publicKey: Uint8Array): Buffer {
  const other = createPublicKey({ key: Buffer.concat([SPKI, publicKey]), format: "der", type: "spki" });
  return diffieHellman({ privateKey: importPrivateKey(privateKey), publicKey: other });
}

function deriveKeys(agreement: Buffer, encapsulated: Uint8Array, recipient: Uint8Array, info: Uint8Array) {
  const context = Buffer.concat([encapsulated, recipient]);
  const shared = expand(KEM_SUITE, {
    key: extract(KEM_SUITE, NOTHING, "eae_prk", agreement),
    label: "shared_secret",
    info: context,
    size: 32,
  });
  const schedule = Buffer.concat([
    Buffer.of(0),
    extract(SUITE, NOTHING, "psk_id_hash", NOTHING),
    extract(SUITE, NOTHING, "info_hash", info),
  ]);
  const secret = extract(SUITE, shared, "secret", NOTHING);
  const keys = {
    key: expand(SUITE, { key: secret, label: "key", info: schedule, size: 32 }),
    nonce: expand(SUITE, { key: secret, label: "base_nonce", info: schedule, size: 12 }),
  };
  for (const used of [agreement, shared, secret]) used.fill(0);
  return keys;
}

function extract(suite: Buffer, salt: Uint8Array, label: string, material: Uint8Array): Buffer {
  return createHmac("sha256", salt).update(VERSION).update(suite).update(label).update(material).digest();
}

/** A key to expand, the label and context that bind it, and the number of bytes wanted. */
interface Expansion {
  readonly key: Buffer;
  readonly label: string;
  readonly info: Uint8Array;
  readonly size: number;
}

/** Derives at most one block of SHA-256 (HKDF-Expand). */
function expand(suite: Buffer, { key, label, info, size }: Expansion): Buffer {
  const mac = createHmac("sha256", key).update(number(size)).update(VERSION).update(suite).update(label);
  return mac.update(info).update(Buffer.of(1)).digest().subarray(0, size);
}
