// Makes keys and signatures with node:crypto from the text of PROTOCOL.sshsig and PROTOCOL.u2f. Tests use them for keys
// in tokens, which no test machine has, and for signatures that are wrong in exactly one way. This file shares no code
// with `verify.ts`, which verifies the signatures.
import { createHash, generateKeyPairSync, sign } from "node:crypto";

export interface SoftKey {
  readonly line: string;
  readonly sign: (message: string, changes?: Changes) => Uint8Array;
}

/** Deviations from a correct signature. */
export interface Changes {
  readonly magic?: string;
  readonly version?: number;
  readonly namespace?: string;
  readonly reserved?: string;
  readonly hash?: string;
  readonly flags?: number;
  readonly counter?: number;
  readonly algorithm?: string;
  /** Extra text at the end of the field that contains the key's signature. */
  readonly behind?: string;
  readonly trailing?: string;
}

export function softKey(algorithm: string, application?: string): SoftKey {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const point = Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url");
  const parts = [text(algorithm), text(point)];
  const blob = Buffer.concat(application === undefined ? parts : [...parts, text(application)]);
  const made = (message: string, changes: Changes = {}) => {
    const { namespace = "stepup@capos", hash = "sha512", reserved = "", flags = 1, counter = 7 } = changes;
    const digest = createHash(hash === "sha256" ? hash : "sha512")
      .update(message)
      .digest();
    const signed = Buffer.concat([Buffer.from("SSHSIG"), ...[namespace, reserved, hash, digest].map(text)]);
    const said = Buffer.from([flags, ...uint32(counter)]);
    const overall = application === undefined ? signed : Buffer.concat([sha256(application), said, sha256(signed)]);
    const plain = Buffer.concat([text(changes.algorithm ?? algorithm), text(sign(null, overall, privateKey))]);
    const { magic = "SSHSIG", version = 1, behind = "", trailing = "" } = changes;
    const tail = Buffer.from(behind);
    const signature = Buffer.concat(application === undefined ? [plain, tail] : [plain, said, tail]);
    return Buffer.concat([
      Buffer.from(magic),
      uint32(version),
      ...[blob, namespace, reserved, hash, signature].map(text),
      Buffer.from(trailing),
    ]);
  };
  return { line: `${algorithm} ${blob.toString("base64")}`, sign: made };
}

export function armoured(bytes: Uint8Array): string {
  const lines =
    Buffer.from(bytes)
      .toString("base64")
      .match(/.{1,70}/g) ?? [];
  return ["-----BEGIN SSH SIGNATURE-----", ...lines, "-----END SSH SIGNATURE-----", ""].join("\n");
}

export function bytesOf(armour: string): Buffer {
  return Buffer.from(armour.split("\n").slice(1, -2).join(""), "base64");
}

function text(value: string | Uint8Array): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([uint32(bytes.length), bytes]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function sha256(value: string | Uint8Array): Buffer {
  return createHash("sha256").update(value).digest();
}
