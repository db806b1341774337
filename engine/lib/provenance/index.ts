export { readChunk, restoreChunk, writeChunk } from "./chunks.ts";
export { addResult, addWritten } from "./results.ts";
export { SourceIndex } from "./source-index.ts";
export { addPageTexts, asksForSources, createQuestionIndex, createStrengthTest, viewFirstSources } from "./tables.ts";
export { type StrengthTest, viewSources } from "./view.ts";
