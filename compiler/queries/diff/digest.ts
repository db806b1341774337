import { createHash } from "node:crypto";

/** By it a person tells one file from another. */
export function computeSha256(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}
