import type { Files } from "../../../dev/fixtures/facts.ts";

/** A page with a character after which text is drawn from right to left. */
export const files: Files = { "/system.cap": "// safe \u202e\nsystem sample {}\n" };
