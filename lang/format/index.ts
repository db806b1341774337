export { formatFile } from "./file.ts";
export { checkText, floorText, lineText, patternsText, quotaText } from "./lines.ts";
export { becauseText, labelText, quoted } from "./text.ts";
export { pageText } from "./written/page.ts";
