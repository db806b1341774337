export { answersOf, isCovered, usedServices } from "./answers.ts";
export { check } from "./check.ts";
export { notProved } from "./codes.ts";
export { defineLaw, type Law, type Page, type Report } from "./law.ts";
export { type Held, labelsIn, namesIn, referencesIn } from "./nodes.ts";
export { checkProved } from "./proof.ts";
export { saysNothing } from "./reasons.ts";
export { notEnforcedYet } from "./rules/not-enforced-yet/codes.ts";
export { checkSize } from "./size.ts";
