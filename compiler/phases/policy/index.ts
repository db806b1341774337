export { rowPath } from "../../../engine/lib/policy/index.ts";
export { DIALECTS, isDialect } from "../../../targets/contract/dialects.ts";
export {
  INIT_DESCRIPTORS,
  initDescriptors,
  MACHINE_BYTES,
  MOST_DESCRIPTORS,
  MOST_ENTRIES,
  type Needs,
  needsOf,
  ownDescriptors,
  sizeText,
  type Taken,
} from "../../../targets/contract/memory.ts";
export type * from "../../../targets/contract/policy.ts";
export { isAddress, isSyslog, readCollector, readScope, secretOf } from "../../../targets/contract/scope.ts";
export { ofCategory as categoryKey } from "../bind/index.ts";
export type { WeightsHead } from "./backends.ts";
export { textOf, wireCondition } from "./clauses.ts";
export { canRun, isAtLeastAsStrict, isCovered } from "./comparison.ts";
export {
  clearanceOf,
  firstUnasked,
  kindOf,
  loginOf,
  modelsOf,
  principalsOf,
  quotasOf,
  startsOf,
  timeoutsOf,
} from "./effective.ts";
export {
  keepsFiles,
  keepsPatches,
  mayUse,
  reachedBy,
  runsPlans,
  type Services,
  servicesByName,
  sessionOfPlans,
  type Way,
  waysBy,
} from "./holding.ts";
export { IMAGE_PROVIDERS, type Providers } from "./implementations.ts";
export { indexedTables } from "./indexed.ts";
export { clearanceLabel, labelOf, rangeOfService, sinkOf, startOfConversation } from "./labels.ts";
export type { Clause, RuleWords } from "./layers.ts";
export { type Lowered, lower } from "./lower.ts";
export { networkPlan } from "./network.ts";
export { builtOn, extendedBy, type NamedLayer, type Place, rowSessions } from "./place.ts";
export { answersIn, placesOf, rowCount } from "./places.ts";
export { providerPlace } from "./remote.ts";
export {
  type Answer,
  decidedKeys,
  linesByKey,
  type Resolution,
  resolveSessions,
  unwidened,
} from "./resolve.ts";
export { listTimeLimits } from "./rows.ts";
export { isLooser, outcomesOfLine, type Reach, reachesLooser, reachOf } from "./strictness.ts";
export { isForUpstream } from "./upstream/graph.ts";
