export { type Bounded, boundedSource, MAX_FILE_BYTES } from "./bounds.ts";
export { parse } from "./parse.ts";
export type { Parsed } from "./parsed.ts";
export { CONTEXTUAL, type Keyword, RESERVED } from "./vocabulary.ts";
