export { mixesAlphabets } from "./alphabets.ts";
export { countWhile } from "./halving.ts";
export { type SourceText, sourceText } from "./source.ts";
export { across, byCodeUnits, bySource, placeOf, type Span, span, startOf, textOf } from "./span.ts";
export { UNSEEN } from "./unseen.ts";
