import { createHash } from "node:crypto";

/** Returns the SHA-256 of a content, so that a person can distinguish files. */
export function computeSha256(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}
