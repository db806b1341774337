// Reads the public key of the verified image from its trust.bin and its signatures. Without the private key, a rebuilt
// image can only reuse the signatures of the verified image: they are valid only if both images have exactly the signed
// bytes.

import { verify as holds } from "node:crypto";
import { Signature, type Trust } from "../../../engine/lib/wire/generated/manifest.ts";
import { decodeMessage } from "../../../engine/lib/wire/index.ts";
import { readEnvelope } from "../../../targets/attest/dsse.ts";
import { IMAGE_PATHS } from "../../../targets/contract/artifact.ts";
import { importPublicKey, type SigningKey } from "../../../targets/manifest/signing.ts";
import { computeFingerprint } from "../inspect/description.ts";
import { findInitrd } from "../inspect/initrd.ts";
import { type OpenedImage, readDifference, readImageFile } from "../inspect/opened.ts";
import { readTrust } from "../inspect/trust.ts";

type ImageKey =
  | { readonly ok: true; readonly key: SigningKey; readonly trust: Trust }
  | { readonly ok: false; readonly reason: string };

const MOST_SIGNATURE_BYTES = 4096;

/** Zeros that are used in place of a missing signature. */
const NONE = new Uint8Array(64);

export function findImageKey(image: OpenedImage): ImageKey {
  const initrd = findInitrd(image).bytes;
  const trust = initrd === undefined ? undefined : readTrust(initrd);
  if (trust === undefined) return { ok: false, reason: "there is no trust.bin in its initrd" };
  const bytes = readImageFile(image, IMAGE_PATHS.manifestSignature, MOST_SIGNATURE_BYTES);
  const signature = bytes === undefined ? undefined : decodeMessage(Signature, bytes);
  if (signature?.ok !== true) return { ok: false, reason: "its manifest is not signed" };
  const { publicKey } = signature.value;
  const isTrusted = trust.keys.some((key) => Buffer.from(key.publicKey).equals(publicKey));
  const key = importPublicKey(publicKey);
  if (!isTrusted || key === undefined)
    return {
      ok: false,
      reason: `its own init does not trust the key of its signature, ${computeFingerprint(publicKey)}`,
    };
  const statements = [readImageFile(image, IMAGE_PATHS.attestation, MOST_ATTESTATION_BYTES), readDifference(image)];
  const known = [signature.value.signature, ...statements.flatMap(readSignatures)];
  const sign = (signed: Uint8Array): Uint8Array => known.find((each) => holds(null, signed, key, each)) ?? NONE;
  return { ok: true, key: { publicKey, sign, development: trust.development }, trust };
}

const MOST_ATTESTATION_BYTES = 4 * 1024 * 1024;

/** Returns the signatures of a statement without verifying them. */
function readSignatures(bytes: Uint8Array | undefined): readonly Uint8Array[] {
  const read = bytes === undefined ? undefined : readEnvelope(bytes);
  const signatures = read?.envelope.signatures.map(({ sig }) => Buffer.from(sig, "base64")) ?? [];
  return signatures.filter(({ length }) => length === 64);
}
