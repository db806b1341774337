import { createHash } from "node:crypto";

/** Returns the SHA-256 by which a person tells one file from another. */
export function computeSha256(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}
