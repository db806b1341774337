// Makes the card of weights: signed facts about the weights, which do not depend on an image.

import type { Card, Verity } from "../wire/generated/manifest.ts";
import type { GgufHeader } from "./gguf.ts";

const CARD_SCHEMA_VERSION = 1;

/** Maximum bytes of a card, which consists of names, two digests and a few numbers. init has the same limit. */
export const MOST_CARD_BYTES = 4096;

/**
 * Name from which the salt of the hash tree is derived. It is constant, so that the card of weights does not depend on
 * their name on a page.
 */
export const TREE_NAME = "weights";

export interface Content {
  /** SHA-256 of the file of weights. */
  readonly sha256: Uint8Array;
  readonly verity: Verity;
}

/** Returns the model's ID, which contains the digest, so that different weights have different IDs. */
function formatModelId(arch: string, sha256: Uint8Array): string {
  return `${arch}:sha256-${Buffer.from(sha256).toString("hex")}`;
}

export function makeCard(header: GgufHeader, { sha256, verity }: Content): Card {
  return {
    schemaVersion: CARD_SCHEMA_VERSION,
    id: formatModelId(header.arch, sha256),
    displayName: sanitizeName(header.name),
    arch: header.arch,
    quantisation: header.quantisation,
    contextTokens: header.contextTokens,
    sha256,
    verity,
  };
}

/** Returns the name in a file's header in printable form, because anybody may have written it, and it is shown to people. */
function sanitizeName(name: string): string {
  return name.replace(/[^\x20-\x7e]/g, "?").slice(0, 64);
}
