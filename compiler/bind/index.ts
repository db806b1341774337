export { type Bound, bind, itemsOf } from "./bind.ts";
export { isWithin, lineageOf } from "./categories.ts";
export type { BoundCheck, BoundLiteral } from "./conditions.ts";
export type { InterfaceDescription, MethodDescription, Param, Type } from "./described.ts";
export type * from "./model/index.ts";
export { isByteUnit } from "./quantities.ts";
export { type BoundQuota, quotaKey } from "./quota.ts";
export { NETWORK_INTERFACES } from "./services.ts";
export { EVERYTHING, keysOf, OWN_KEYS, ofCategory, unclassifiedOf } from "./tools.ts";
