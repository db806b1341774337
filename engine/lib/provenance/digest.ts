// Keyed digests of tokens. An index must not reveal the texts that were read, so it contains only keyed digests.

import { hash } from "node:crypto";
import type { Token } from "./tokens.ts";

/**
 * Returns 52 bits of SHA-256 over a secret key of a fixed length and the token, as an integer. Two tokens collide by chance once in 2^52
 * pairs. Prefixing the key is safe, because outsiders never see a digest that they could extend.
 */
export function digestToken(key: string, { kind, text }: Token): number {
  const digest = hash("sha256", `${key}${kind}\0${text}`, "binary");
  let value = 0;
  for (let at = 0; at < 6; at += 1) value = value * 256 + digest.charCodeAt(at);
  return value * 16 + (digest.charCodeAt(6) >> 4);
}
