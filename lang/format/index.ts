export { type Attached, type Attachments, attachmentsIn, type Place } from "./attached.ts";
export { formatFile } from "./file.ts";
export { checkText, floorText, lineText, quotaText, timeLimitText } from "./lines.ts";
export { labelText, quoted } from "./text.ts";
export { pageText } from "./written/page.ts";
export { assertText, releaseText } from "./written/statements.ts";
