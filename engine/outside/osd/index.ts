export { type Identity, readIdentity } from "./actions/place.ts";
export type { AuditLog } from "./audit.ts";
export { Daemon } from "./daemon.ts";
export { MOST_REQUEST_BYTES, MOST_TOKEN } from "./limits.ts";
export { VERSION } from "./plan.ts";
export { readPlan } from "./read-plan.ts";
export { servePeer } from "./serve.ts";
export { convertAnswer, convertRequest, isUpstreamWell } from "./upstream.ts";
export { readWidePlan } from "./wide-plan.ts";
