export { decodeSource, type Ends, findUnseen, MAX_FILE_BYTES } from "./bounds.ts";
export { normalizeDecimal } from "./literals.ts";
export { isName, MAX_NAME, NAME_FORM, nameFrom } from "./names.ts";
export { findExpectedAt, parse, parseScanned } from "./parse.ts";
export { type Scanned, scan } from "./scanner.ts";
export { CONTEXTUAL, type Kind, MODES, RESERVED, SHAPES, SIGNS } from "./vocabulary.ts";
