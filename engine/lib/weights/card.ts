// The card of weights: the signed facts about them. A card does not depend on an image.

import type { Card, Verity } from "../wire/generated/manifest.ts";
import type { GgufHeader } from "./gguf.ts";

const CARD_SCHEMA_VERSION = 1;

/** Maximum bytes of a card, which has names, two digests and a few numbers. init refuses a larger card. */
export const MOST_CARD_BYTES = 4096;

/**
 * Name from which the salt of the hash tree is derived. All weights share this name, so that a card does not depend on
 * the name that a page gives to the weights.
 */
export const TREE_NAME = "weights";

export interface Content {
  /** Digest of the file of weights, without the hash tree. */
  readonly sha256: Uint8Array;
  readonly verity: Verity;
}

/** Returns the model's ID. Different weights have different IDs. */
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

/**
 * Returns the name that a file states for itself, in printable form. Any person may have written the name, and it is
 * shown to people.
 */
function sanitizeName(name: string): string {
  return name.replace(/[^\x20-\x7e]/g, "?").slice(0, 64);
}
