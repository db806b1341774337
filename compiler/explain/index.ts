export { type Change, leastChange, type Read } from "./change.ts";
export { type CheckMade, type CheckName, trace } from "./checks.ts";
export { type Edit, edited } from "./edits.ts";
export { type Explained, type Explanation, explainDecision, explainIn } from "./explain.ts";
export type { Question } from "./question.ts";
export { explanationLines } from "./words.ts";
