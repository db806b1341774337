export { hasMixedAlphabets } from "./alphabets.ts";
export { countWhile } from "./halving.ts";
export { createSourceText, type SourceText } from "./source.ts";
export { compareCodeUnits, compareSpans, getText, joinSpans, makeSpan, placeOf, type Span, startOf } from "./span.ts";
export { UNSEEN } from "./unseen.ts";
