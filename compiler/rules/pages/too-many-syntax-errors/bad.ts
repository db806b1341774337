import type { Files } from "../../../dev/fixtures/facts.ts";

/** Each of the repeated lines has one syntax error. */
export const files: Files = { "/system.cap": `system sample {\n${"session 1\n".repeat(1001)}}` };
