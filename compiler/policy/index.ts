export { clearanceOf, kindOf, modelsOf, principalsOf, quotasOf, startsOf, timeoutsOf } from "./effective.ts";
export { implementationOf, providedInterfaces } from "./implementations.ts";
export { clearanceLabel, labelOf, rangeOfResult, rangeOfService, startOfConversation } from "./labels.ts";
export { type Lowered, lower } from "./lower.ts";
export type * from "./policy.ts";
export { type Answer, decidingLines, linesByKey, type Resolution, resolveSessions } from "./resolve.ts";
export { rowSessions } from "./rows.ts";
export { isLooser, outcomesOfLine, type Reach, reachesLooser, reachOf } from "./strictness.ts";
