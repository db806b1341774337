export { type AttachedComment, type Attachments, findAttachments, type Place } from "./attached.ts";
export { formatFile } from "./file.ts";
export { renderCheck, renderFloor, renderLine, renderQuota, renderTimeLimit } from "./lines.ts";
export { quoteText, renderLabel, renderName } from "./text.ts";
export { renderPage } from "./written/page.ts";
export { assertText, renderRelease } from "./written/statements.ts";
