import type { Files } from "../../../dev/fixtures/facts.ts";

/** What follows the character is drawn from right to left. */
export const files: Files = { "/system.cap": "// safe \u202e\nsystem sample {}\n" };
