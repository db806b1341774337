import type { Files } from "../../testing/facts.ts";

/** The first line ends as on Windows, the second as everywhere else. */
export const files: Files = { "/system.cap": "system sample {\r\n  storage { disk d }\n}\r\n" };
