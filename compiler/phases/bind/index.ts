export { KERNEL_SOURCES } from "../../../targets/contract/kernel-sources.ts";
export { bind } from "./bind.ts";
export { isWithin, listLineage } from "./categories.ts";
export type { BoundCheck, BoundTerm } from "./conditions.ts";
export { WORDS } from "./contextual-words.ts";
export type { InterfaceDescription, MethodDescription, Param, Type } from "./described.ts";
export { listItems } from "./items.ts";
export type { BoundLiteral } from "./literals.ts";
export type * from "./model/index.ts";
export type { Naming } from "./naming.ts";
export { type BoundQuota, formatQuotaKey } from "./quota.ts";
export { renderJson } from "./rehearsals.ts";
export { NETWORK_INTERFACES } from "./services.ts";
export { getValueName, KNOWN_SETTINGS, SETTING_WORDS, TARGET_SETTINGS } from "./settings.ts";
export { type BoundRelated, type BoundSource, isStrongField } from "./sources.ts";
export {
  createNamedTest,
  EVERYTHING,
  findUnclassified,
  formatCategoryKey,
  isOfOne,
  listCoveringKeys,
  listKeys,
} from "./tools.ts";
export { restartWords } from "./upstream.ts";
