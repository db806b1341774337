import type { Files } from "../../../dev/fixtures/facts.ts";

/** "café" as Latin-1 writes it. */
export const files: Files = { "/system.cap": Uint8Array.of(0x2f, 0x2f, 0x63, 0x61, 0x66, 0xe9) };
