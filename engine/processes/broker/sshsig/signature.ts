import { accept, type Result, refuse } from "../../../lib/result/result.ts";
import { Fields } from "./fields.ts";
import { type PublicKey, TOKEN } from "./public-key.ts";

export const MAGIC = "SSHSIG";
const VERSION = 1;
const ED25519_BYTES = 64;

/** The parsed parts of an SSHSIG (PROTOCOL.sshsig); none of them is verified yet. */
interface Envelope {
  readonly publicKey: Uint8Array;
  readonly namespace: string;
  readonly hash: string;
  readonly signature: Uint8Array;
}

export function readEnvelope(bytes: Uint8Array): Result<Envelope> {
  const fields = new Fields(bytes);
  const magic = Buffer.from(fields.readBytes(MAGIC.length)).toString("latin1");
  if (magic !== MAGIC) return refuse("it does not begin with SSHSIG");
  const version = fields.readUint32();
  if (version !== VERSION) return refuse(`it has version ${version}, this reader knows ${VERSION} only`);
  const publicKey = fields.readString();
  const namespace = fields.name();
  // The signature does not cover the reserved field: ssh-keygen signs an empty text in its place. So a signature with
  // content in this field is refused.
  const reserved = fields.readString();
  const hash = fields.name();
  const signature = fields.readString();
  if (!fields.complete) return refuse("its fields end too early or too late");
  return reserved.length === 0
    ? accept({ publicKey, namespace, hash, signature })
    : refuse("its reserved field is used");
}

/** The part of a signature that the key itself made. */
export interface KeySignature {
  readonly ed25519: Uint8Array;
  /** Flags of a token (PROTOCOL.u2f): bit 0, a person was present; bit 2, the token identified the person. */
  readonly flags: number;
  /**
   * Signature count of a token. The signature covers the count, but the count is not compared, because many tokens do
   * not count their signatures.
   */
  readonly counter: number;
}

export function readKeySignature(bytes: Uint8Array, algorithm: PublicKey["algorithm"]): Result<KeySignature> {
  const fields = new Fields(bytes);
  const named = fields.name();
  const ed25519 = fields.readString();
  const token = algorithm === TOKEN;
  const flags = token ? fields.readByte() : 0;
  const counter = token ? fields.readUint32() : 0;
  const wellFormed = fields.complete && named === algorithm && ed25519.length === ED25519_BYTES;
  return wellFormed ? accept({ ed25519, flags, counter }) : refuse(`its signature is no well-formed ${algorithm}`);
}
