export { code, codeCell, inline, paragraphs } from "./markdown.ts";
export { standardReference } from "./standard.ts";
export { systemReference } from "./system.ts";
