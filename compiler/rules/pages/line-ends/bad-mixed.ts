import type { Files } from "../../../dev/fixtures/facts.ts";

/** The first line ends as on Windows, the second as everywhere else. */
export const files: Files = { "/system.cap": "system sample {\r\n  storage { disk d }\n}\r\n" };
