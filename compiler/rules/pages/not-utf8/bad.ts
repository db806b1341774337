import type { Files } from "../../../dev/fixtures/facts.ts";

/** A comment with the word "café" in Latin-1. */
export const files: Files = { "/system.cap": Uint8Array.of(0x2f, 0x2f, 0x63, 0x61, 0x66, 0xe9) };
