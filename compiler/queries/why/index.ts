export { type Change, leastChange, overlaid } from "./change.ts";
export { type CheckMade, trace } from "./checks.ts";
export { addLine, type Edit, edited, insideEnd, type Owner } from "./edits.ts";
export { type Explanation, explainDecision, explainIn } from "./explain.ts";
export type { Question } from "./question.ts";
export { explanationLines } from "./words.ts";
