// Checks the sizes of texts, bytes and digests before the ledger stores them.

import { type Refusal, refuse } from "../../lib/result/result.ts";
import { DIGEST_BYTES, MAX_LABEL_BYTES, MAX_NAME_BYTES } from "./limits.ts";

/** Returns a refusal for the first text or bytes above its maximum number of bytes, or `undefined` if all fit. */
export function findExcess(
  parts: Readonly<Record<string, readonly [value: string | Uint8Array, most: number]>>,
): Refusal | undefined {
  for (const [name, [value, most]] of Object.entries(parts)) {
    const size = typeof value === "string" ? Buffer.byteLength(value) : value.length;
    if (size > most) return refuse(`${name} has ${size} bytes; the maximum is ${most}`);
  }
  return undefined;
}

/** Returns a refusal if a digest does not have the length of a SHA-256, otherwise `undefined`. */
export function findWrongDigest(parts: Readonly<Record<string, Uint8Array>>): Refusal | undefined {
  for (const [name, digest] of Object.entries(parts)) {
    if (digest.length !== DIGEST_BYTES) return refuse(`${name} has ${digest.length} bytes, not ${DIGEST_BYTES}`);
  }
  return undefined;
}

/** Returns the names for `findExcess`, each with the maximum number of bytes of a name. */
export function boundNames(
  names: Readonly<Record<string, string>>,
): Readonly<Record<string, readonly [string, number]>> {
  return Object.fromEntries(Object.entries(names).map(([name, value]) => [name, [value, MAX_NAME_BYTES] as const]));
}

/** Returns the label for `findExcess`, with the maximum number of bytes of a label. */
export function boundLabel(label: Uint8Array): readonly [Uint8Array, number] {
  return [label, MAX_LABEL_BYTES];
}
