// Stores bytes in a file, preceded by their SHA-256, which detects damage by a crash or a failing disk. The digest does
// not detect an attacker, who can write another valid file.
import { createHash } from "node:crypto";
import { accept, type Result, refuse } from "../../../lib/result/result.ts";

const DIGEST_BYTES = 32;
/** Maximum bytes of a file that is read; this broker writes far less. */
export const MAX_FILE_BYTES = 4 * 1024 * 1024;

export function seal(body: Uint8Array): Uint8Array {
  return Buffer.concat([createHash("sha256").update(body).digest(), body]);
}

export function unseal(bytes: Uint8Array): Result<Uint8Array> {
  if (bytes.length < DIGEST_BYTES || bytes.length > MAX_FILE_BYTES) return refuse(`it has ${bytes.length} bytes`);
  const body = bytes.subarray(DIGEST_BYTES);
  const digest = createHash("sha256").update(body).digest();
  return Buffer.compare(digest, bytes.subarray(0, DIGEST_BYTES)) === 0 ? accept(body) : refuse("its digest is another");
}
