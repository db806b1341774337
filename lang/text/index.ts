export { hasMixedAlphabets } from "./alphabets.ts";
export { countWhile } from "./binary-search.ts";
export { UNSEEN } from "./invisible-characters.ts";
export { createSourceText, type SourceText } from "./source.ts";
export { compareCodeUnits, compareSpans, getText, joinSpans, makeSpan, placeOf, type Span, startOf } from "./span.ts";
