export type { CodePage, Findings } from "./formats/findings.ts";
export { githubText } from "./formats/github.ts";
export { sarifLog } from "./formats/sarif.ts";
export { lint } from "./lint.ts";
