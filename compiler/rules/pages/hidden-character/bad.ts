import type { Files } from "../../../dev/fixtures/facts.ts";

/** A page with a character that makes editors draw the text after it from right to left. */
export const files: Files = { "/system.cap": "// safe \u202e\nsystem sample {}\n" };
