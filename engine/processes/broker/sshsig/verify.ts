// Verifies signatures of `ssh-keygen -Y sign`: OpenSSH's PROTOCOL.sshsig, and PROTOCOL.u2f for keys in tokens. Other modules decide who
// owns the key, and whether the message may be signed.

import { createHash, verify } from "node:crypto";
import { decodeArmour } from "./armour.ts";
import { encodeString } from "./fields.ts";
import { type PublicKey, TOKEN } from "./public-key.ts";
import { type KeySignature, MAGIC, readEnvelope, readKeySignature } from "./signature.ts";

export type SignatureFault =
  | "malformed"
  | "wrong namespace"
  | "wrong hash"
  | "wrong key"
  | "nobody present"
  | "changed";

type Verdict =
  | { readonly ok: true; readonly key: PublicKey }
  | { readonly ok: false; readonly fault: SignatureFault; readonly reason: string };

interface Expected {
  readonly message: Uint8Array;
  readonly namespace: string;
  /** Keys, one of which must have signed. */
  readonly keys: readonly PublicKey[];
}

const HASHES: readonly string[] = ["sha256", "sha512"];
const USER_PRESENT = 1;

/** Verifies a signature; never throws, whatever the text. */
export function verifySshsig(armoured: string, expected: Expected): Verdict {
  const bytes = decodeArmour(armoured);
  if (!bytes.ok) return rejectSignature("malformed", bytes.reason);
  const envelope = readEnvelope(bytes.value);
  if (!envelope.ok) return rejectSignature("malformed", envelope.reason);
  const { namespace, hash, publicKey, signature } = envelope.value;
  if (namespace !== expected.namespace)
    return rejectSignature("wrong namespace", `it was not made for ${expected.namespace}`);
  if (!HASHES.includes(hash)) return rejectSignature("wrong hash", `it is over neither of ${HASHES.join(" and ")}`);
  const key = expected.keys.find((one) => Buffer.compare(one.blob, publicKey) === 0);
  if (key === undefined) return rejectSignature("wrong key", "it was made by a key that may not sign this");
  const made = readKeySignature(signature, key.algorithm);
  if (!made.ok) return rejectSignature("malformed", made.reason);
  const digest = createHash(hash).update(expected.message).digest();
  return judgeSignature(key, made.value, buildSignedData(namespace, hash, digest));
}

function buildSignedData(namespace: string, hash: string, digest: Uint8Array): Uint8Array {
  const reserved = "";
  return Buffer.concat([Buffer.from(MAGIC), ...[namespace, reserved, hash, digest].map(encodeString)]);
}

function judgeSignature(key: PublicKey, made: KeySignature, signed: Uint8Array): Verdict {
  const message = key.algorithm === TOKEN ? buildTokenMessage(key, made, signed) : signed;
  if (!verify(null, message, key.verifier, made.ed25519)) return rejectSignature("changed", "it is not over this text");
  const present = key.algorithm !== TOKEN || (made.flags & USER_PRESENT) !== 0;
  return present
    ? { ok: true, key }
    : rejectSignature("nobody present", "the token does not say that anybody touched it");
}

/** Returns the message that a token signs: the hash of its application, flags, counter, and the hash of `signed`. */
function buildTokenMessage(key: PublicKey, { flags, counter }: KeySignature, signed: Uint8Array): Uint8Array {
  const said = Buffer.alloc(5);
  said.writeUInt8(flags);
  said.writeUInt32BE(counter, 1);
  return Buffer.concat([hashSha256(key.application), said, hashSha256(signed)]);
}

function hashSha256(bytes: Uint8Array): Uint8Array {
  return createHash("sha256").update(bytes).digest();
}

function rejectSignature(kind: SignatureFault, reason: string): Verdict {
  return { ok: false, fault: kind, reason };
}
