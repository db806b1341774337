export { formatRowPath } from "../../../engine/lib/policy/index.ts";
export { DIALECTS, isDialect } from "../../../targets/contract/dialects.ts";
export {
  computeNeeds,
  countOwnDescriptors,
  formatSize,
  INIT_DESCRIPTORS,
  initDescriptors,
  MACHINE_BYTES,
  type MemoryShare,
  MOST_DESCRIPTORS,
  MOST_ENTRIES,
  type Needs,
} from "../../../targets/contract/memory.ts";
export type * from "../../../targets/contract/policy.ts";
export {
  type Correction,
  findSecret,
  isAddress,
  isPinDigest,
  isSyslog,
  readCollector,
  readScope,
} from "../../../targets/contract/scope.ts";
export { formatCategoryKey as categoryKey } from "../bind/index.ts";
export { describeKeep } from "./audit-keep.ts";
export type { WeightsHead } from "./backends.ts";
export { encodeCondition, encodeDecision, encodeUnnamedClauses, serializeValue } from "./clauses.ts";
export { canRun, isAtLeastAsStrict, isCovered } from "./comparison.ts";
export {
  findFirstUnasked,
  getClearance,
  getLogin,
  getModels,
  getPrincipals,
  getQuotas,
  getSessionKind,
  getStartLabel,
  getTaskRequirement,
  getTimeouts,
} from "./effective.ts";
export {
  findGrantPaths,
  findReachableServices,
  getSessionOfPlans,
  indexServices,
  isFileStore,
  isPatchStore,
  isPlanRunner,
  mayUse,
  type Services,
  type Way,
} from "./grants-between-services.ts";
export { IMAGE_PROVIDERS, type Providers } from "./implementations.ts";
export { indexPolicyTables } from "./indexed.ts";
export {
  computeSink,
  getResultRange,
  getServiceRange,
  resolveClearance,
  resolveLabel,
  startOfConversation,
} from "./labels.ts";
export type { Clause, RuleWords } from "./layers.ts";
export { type LoweredPolicy, lower } from "./lower.ts";
export { computeMeaningDigest } from "./meaning.ts";
export { planNetwork } from "./network.ts";
export {
  type NormalizedClause,
  normalizeClause,
  normalizeClauses,
  normalizeGroups,
  sortUnique,
} from "./normal-form.ts";
export { listBases, listExtended, type NamedLayer, type Place, selectRowSessions } from "./place.ts";
export { computeAnswers, countRows, enumeratePlaces } from "./places.ts";
export { releaseRule, selectReleases } from "./releases.ts";
export { getProviderPlace } from "./remote.ts";
export {
  type Answer,
  createUnwidenedReader,
  findDecidedKeys,
  groupLinesByKey,
  type Resolution,
  resolveSessions,
} from "./resolve.ts";
export { listTimeLimits } from "./rows.ts";
export { canReachLooser, getOutcomes, isLooser, type Reach, reachOf, reachOfList } from "./strictness.ts";
export { isForUpstream } from "./upstream/graph.ts";
