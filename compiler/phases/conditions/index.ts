export { isAlwaysKnown, isAlwaysMet } from "./certain.ts";
export { createPresence, isOfText, type SignedCondition } from "./demands.ts";
export { formatDecimal, roundDown } from "./interval.ts";
export { isOpen, isSafe } from "./knowable.ts";
export { canBeAnswered } from "./possible.ts";
export { canHaveTruths, relateConditions } from "./relations.ts";
export { canBeStrong, canBeWeak, canHaveStandings, pickOrigins } from "./standings.ts";
