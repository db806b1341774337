import { accept, type Result, refuse } from "../../../lib/result/result.ts";
import { decodeArmour } from "./armour.ts";
import { PLAIN, type PublicKey, readPublicKey } from "./public-key.ts";
import { readEnvelope } from "./signature.ts";

/**
 * Returns the key that a signature names, for a key that is not known yet. Does not verify the signature: the caller
 * must verify it with this key. Fails if the text is not a signature, or if its key is not a plain Ed25519 key.
 */
export function readSigner(armoured: string): Result<{ readonly line: string; readonly key: PublicKey }> {
  const bytes = decodeArmour(armoured);
  if (!bytes.ok) return bytes;
  const envelope = readEnvelope(bytes.value);
  if (!envelope.ok) return envelope;
  const line = `${PLAIN} ${Buffer.from(envelope.value.publicKey).toString("base64")}`;
  const key = readPublicKey(line);
  return key.ok ? accept({ line, key: key.value }) : refuse(`it names no key of its own: ${key.reason}`);
}
