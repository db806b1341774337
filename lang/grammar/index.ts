export { type Bounded, boundedSource, MAX_FILE_BYTES } from "./bounds.ts";
export { type Parsed, parse } from "./parse.ts";
