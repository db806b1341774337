export { isAlwaysMet } from "./certain.ts";
export type { Signed } from "./demands.ts";
export { plainText, wholeBelow } from "./interval.ts";
export { isSafe } from "./knowable.ts";
export { canBeAnswered } from "./possible.ts";
