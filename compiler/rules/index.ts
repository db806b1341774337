export { applyFixes, chosenFixes } from "./fix.ts";
export type { CodePage, Findings, Unread } from "./formats/findings.ts";
export { githubText } from "./formats/github.ts";
export { junitText, type LookedAt } from "./formats/junit.ts";
export { sarifLog } from "./formats/sarif.ts";
export { type Linted, lint, type Silenced } from "./lint.ts";
export { callText, type Loosening, looseningsOf, toolsText } from "./support/loosenings.ts";
