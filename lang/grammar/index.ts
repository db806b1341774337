export { decodeSource, findUnseen, type LineEndRule, MAX_FILE_BYTES } from "./bounds.ts";
export { normalizeDecimal } from "./literals.ts";
export { isName, MAX_NAME, NAME_FORM, nameFrom } from "./names.ts";
export { findExpectedAt, parse, parseScanned } from "./parse.ts";
export type { ExpectedToken } from "./rules/expected.ts";
export { type ScanResult, scan } from "./scanner.ts";
export { CONTEXTUAL, type Keyword, type Kind, MODES, RESERVED, SHAPES, SIGNS } from "./vocabulary.ts";
