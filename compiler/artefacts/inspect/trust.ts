// Describes the keys whose signatures an image's own init accepts: trust.bin in its initrd.

import { gunzipSync } from "node:zlib";
import { type Signature, Trust } from "../../../engine/lib/wire/generated/manifest.ts";
import { decodeMessage } from "../../../engine/lib/wire/index.ts";
import { findFileInArchive } from "./cpio-reader.ts";
import { computeFingerprint, convertToPlain, type Description } from "./description.ts";

/** Maximum size of an unpacked initrd in bytes; the project's own initrd has a few MB. */
const MOST_UNPACKED = 256 * 1024 * 1024;

/**
 * Describes the keys that an initrd trusts. `signature` is the signature of the image's manifest; if these keys do not
 * permit it, a fault states the reason.
 */
export function describeTrust(initrd: Uint8Array | undefined, signature: Signature | undefined): Description {
  const trust = initrd === undefined ? undefined : readTrust(initrd);
  if (trust === undefined) return NO_TRUST;
  const keys = trust.keys.map(
    ({ publicKey, purposes }) => `        ${computeFingerprint(publicKey)} for ${purposes.join(", ")}`,
  );
  const kind = trust.development ? "development keys" : "keys";
  return {
    kind: "trust",
    facts: { trusted: convertToPlain(trust) },
    lines: [`trusts  these ${kind}, for ${trust.systemId} from version ${trust.leastVersion} on:`, ...keys],
    faults: signature === undefined ? [] : findTrustFaults(trust, signature),
  };
}

const NO_TRUST: Description = {
  kind: "trust",
  facts: { trusted: null },
  lines: ["trusts  nobody that can be read"],
  faults: ["there is no trust.bin in its initrd, so init trusts nobody"],
};

/** Returns the trusted keys of an initrd, or `undefined` if `trust.bin` is missing or malformed. */
export function readTrust(initrd: Uint8Array): Trust | undefined {
  const bytes = findFileInArchive(unpackInitrd(initrd), "trust.bin");
  const read = bytes === undefined ? undefined : decodeMessage(Trust, bytes);
  return read?.ok === true ? read.value : undefined;
}

/** Returns the unpacked initrd; empty if it cannot be unpacked or exceeds `MOST_UNPACKED` bytes. */
export function unpackInitrd(bytes: Uint8Array): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: MOST_UNPACKED });
  } catch {
    return new Uint8Array();
  }
}

/** Checks only the system, the purpose and the key of a signature. Other functions check the version and the bytes. */
function findTrustFaults(trust: Trust, { systemId, purpose, publicKey }: Signature): string[] {
  const key = trust.keys.find((each) => Buffer.from(each.publicKey).equals(publicKey));
  const explainDistrust = (words: string): string[] => [`its own init does not trust its signature: ${words}`];
  if (trust.systemId !== systemId) return explainDistrust(`it is for ${systemId}`);
  if (purpose !== "image") return explainDistrust(`it is one for ${purpose}, and manifests are signed for image`);
  if (key === undefined) return explainDistrust(`it does not know the key ${computeFingerprint(publicKey)}`);
  return key.purposes.includes(purpose)
    ? []
    : explainDistrust(`the key may sign ${key.purposes.join(", ") || "nothing"}, and no image`);
}
