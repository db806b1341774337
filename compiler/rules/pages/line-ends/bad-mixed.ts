import type { Files } from "../../../dev/fixtures/facts.ts";

/** The first line ends in the style of Windows, and the second in the usual style. */
export const files: Files = { "/system.cap": "system sample {\r\n  storage { disk d }\n}\r\n" };
