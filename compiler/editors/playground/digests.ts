// Computes SHA-256 in a browser, whose own function is asynchronous. This module replaces Node's module of digests, and
// has only the functions that the compiler uses.

import { sha256 } from "@noble/hashes/sha2.js";

interface Digest {
  readonly update: (part: string | Uint8Array) => Digest;
  readonly digest: (encoding?: "hex") => Buffer | string;
}

/** Creates a digest; it only supports the algorithm "sha256". */
export function createHash(algorithm: "sha256"): Digest {
  if (algorithm !== "sha256") throw new Error(`there is no ${algorithm} here`);
  const hash = sha256.create();
  const digest: Digest = {
    update: (part) => {
      hash.update(typeof part === "string" ? Buffer.from(part) : part);
      return digest;
    },
    digest: (encoding) => {
      const bytes = Buffer.from(hash.digest());
      return encoding === undefined ? bytes : bytes.toString(encoding);
    },
  };
  return digest;
}
