export { renderCode, renderCodeCell, renderInline, renderParagraphs } from "./markdown.ts";
export { renderStandardReference } from "./standard.ts";
export { renderSystemReference } from "./system.ts";
