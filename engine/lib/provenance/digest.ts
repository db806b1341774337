// Keyed digests of tokens. An index must not reveal the texts that were read: without the key it is only numbers.

import { hash } from "node:crypto";
import type { Token } from "./tokens.ts";

/**
 * Returns 52 bits of SHA-256 over a secret key of a fixed length and the token, as an integer. Two tokens collide by chance once in 2^52
 * pairs. Outsiders see no digest, so they cannot extend one.
 */
export function digestToken(key: string, { kind, text }: Token): number {
  const digest = hash("sha256", `${key}${kind}\0${text}`, "binary");
  let value = 0;
  for (let at = 0; at < 6; at += 1) value = value * 256 + digest.charCodeAt(at);
  return value * 16 + (digest.charCodeAt(6) >> 4);
}
