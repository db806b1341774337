export { ofCategory as categoryKey } from "../bind/index.ts";
export { clearanceOf, kindOf, modelsOf, principalsOf, quotasOf, startsOf, timeoutsOf } from "./effective.ts";
export { IMAGE_PROVIDERS, type Providers } from "./implementations.ts";
export { clearanceLabel, labelOf, rangeOfResult, rangeOfService, startOfConversation } from "./labels.ts";
export { type Lowered, lower } from "./lower.ts";
export type * from "./policy.ts";
export {
  type Answer,
  decidedKeys,
  decidingLines,
  linesByKey,
  type Resolution,
  resolveSessions,
  unwidened,
} from "./resolve.ts";
export { rowSessions } from "./rows.ts";
export { isLooser, outcomesOfLine, type Reach, reachesLooser, reachOf } from "./strictness.ts";
