export { check } from "./check.ts";
export { notProved } from "./codes.ts";
export { defineLaw, type Law, type Page } from "./law.ts";
export { checkProved } from "./proof.ts";
export { notEnforcedYet } from "./rules/not-enforced-yet/codes.ts";
export { checkSize } from "./size.ts";
