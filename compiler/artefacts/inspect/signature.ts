// Describes a signature file beside an artefact: the version that it names, whether the signature is valid, and whether
// its key is the development key of this checkout.

import { verify } from "node:crypto";
import { Signature } from "../../../engine/lib/wire/generated/manifest.ts";
import { decodeMessage } from "../../../engine/lib/wire/index.ts";
import { encodeSignedBytes, importPublicKey } from "../../../targets/manifest/signing.ts";
import { computeFingerprint, convertToPlain, type Description } from "./description.ts";

export function readSignature(bytes: Uint8Array): Signature | undefined {
  const read = decodeMessage(Signature, bytes);
  return read.ok && read.value.signature.length === 64 && read.value.publicKey.length === 32 ? read.value : undefined;
}

/** Describes the signature of an artefact. `known` is the public key of this checkout, if it has one. */
export function describeSignature(
  signature: Signature,
  artefact: Uint8Array | undefined,
  known: Uint8Array | undefined,
): Description {
  const holds = artefact === undefined ? undefined : isSignatureValid(signature, artefact);
  const verdict =
    holds === undefined ? "not checked: what it signs is not beside it" : holds ? "holds" : "does NOT hold";
  const signer = known !== undefined && Buffer.from(known).equals(signature.publicKey);
  const key = signer ? "the development key of this checkout" : "a key that this checkout does not know";
  return {
    kind: "signature",
    facts: {
      signature: convertToPlain(signature),
      fingerprint: computeFingerprint(signature.publicKey),
      holds: holds ?? null,
      developmentKeyOfThisCheckout: signer,
    },
    lines: [
      `signature for ${signature.purpose} of ${signature.systemId} ${signature.version}: ${verdict}`,
      `key     ${computeFingerprint(signature.publicKey)}, ${key}`,
    ],
    faults: holds === false ? ["the signature does not hold"] : [],
  };
}

/** Whether the signature of the artefact is valid for the key that the signature names. */
export function isSignatureValid(signature: Signature, artefact: Uint8Array): boolean {
  const key = importPublicKey(signature.publicKey);
  return key !== undefined && verify(null, encodeSignedBytes(signature, artefact), key, signature.signature);
}
