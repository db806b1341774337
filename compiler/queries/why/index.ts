export { findLeastChange, overlayEdits, type ProposedChange } from "./change.ts";
export { type CheckResult, trace } from "./checks.ts";
export { addLine, applyEdits, type Edit, insertAtEnd, type Owner } from "./edits.ts";
export { type Explanation, explainDecision, explainIn } from "./explain.ts";
export { findAskedTools, listPassedOver, type PassedLine } from "./passed-over.ts";
export type { Heard, Question } from "./question.ts";
export { renderExplanation } from "./render-explanation.ts";
