import type { Files } from "../../../dev/fixtures/facts.ts";

/** The first line ends with a carriage return and a line feed, the second one with a line feed alone. */
export const files: Files = { "/system.cap": "system sample {\r\n  storage { disk d }\n}\r\n" };
