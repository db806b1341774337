import type { Files } from "../../../dev/fixtures/facts.ts";

/** Each line is one mistake. */
export const files: Files = { "/system.cap": `system sample {\n${"session 1\n".repeat(1001)}}` };
