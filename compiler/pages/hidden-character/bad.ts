import type { Files } from "../../testing/facts.ts";

/** What follows the character is drawn from right to left. */
export const files: Files = { "/system.cap": "// safe \u202e\nsystem sample {}\n" };
