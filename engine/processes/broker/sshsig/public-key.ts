import { createPublicKey, type KeyObject } from "node:crypto";
import { accept, type Result, refuse } from "../../../lib/result/result.ts";
import { Fields } from "./fields.ts";

export const PLAIN = "ssh-ed25519";
/** Type of a key in a token: the token asks the person for a touch, and the signature states that there was a touch. */
export const TOKEN = "sk-ssh-ed25519@openssh.com";

/** A public key of a principal, whose signatures prove that the principal is present. */
export interface PublicKey {
  readonly algorithm: typeof PLAIN | typeof TOKEN;
  /** The key as signatures contain it. Keys are compared byte by byte, so that a foreign key is never parsed. */
  readonly blob: Uint8Array;
  /** The application that a key in a token is made for, usually "ssh:"; empty if the key is not in a token. */
  readonly application: Uint8Array;
  readonly verifier: KeyObject;
}

const MAX_LINE_LENGTH = 1024;
const POINT_BYTES = 32;

/**
 * Reads "ssh-ed25519 AAAA…" or "sk-ssh-ed25519@openssh.com AAAA…", as the policy tables contain it: without a comment.
 * Fails for any other text.
 */
export function readPublicKey(line: string): Result<PublicKey> {
  if (line.length > MAX_LINE_LENGTH) return refuse(`a public key is longer than ${MAX_LINE_LENGTH} characters`);
  const [, algorithm, text = ""] = /^(\S+) ([A-Za-z0-9+/]+={0,2})$/.exec(line) ?? [];
  if (algorithm !== PLAIN && algorithm !== TOKEN) return refuse(`a public key is neither ${PLAIN} nor ${TOKEN}`);
  const blob = Buffer.from(text, "base64");
  if (blob.toString("base64") !== text) return refuse("the Base64 of a public key is damaged");
  return parseKey(algorithm, blob);
}

function parseKey(algorithm: PublicKey["algorithm"], blob: Uint8Array): Result<PublicKey> {
  const fields = new Fields(blob);
  const named = fields.name();
  const point = fields.readString();
  const application = algorithm === TOKEN ? fields.readString() : new Uint8Array(0);
  if (!fields.complete || named !== algorithm || point.length !== POINT_BYTES) {
    return refuse(`a public key is no well-formed ${algorithm}`);
  }
  const x = Buffer.from(point).toString("base64url");
  const verifier = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  return accept({ algorithm, blob, application, verifier });
}
