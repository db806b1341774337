export { answersOf, byTool, isGate, usedServices } from "./answers.ts";
export { check } from "./check.ts";
export { defineLaw, type Law, type Page, type ProvenPage, type Report } from "./law.ts";
export { type Held, labelsIn, namesIn, referencesIn } from "./nodes.ts";
export { saysNothing } from "./reasons.ts";
export { backendUnreachable } from "./rules/backend-unreachable/codes.ts";
export { notEnforcedYet } from "./rules/not-enforced-yet/codes.ts";
export { checkSize } from "./size.ts";
export { linesOf, writtenIn } from "./written.ts";
