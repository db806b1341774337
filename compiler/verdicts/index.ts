export { isFailedProof, judge } from "./judge.ts";
export { VERDICT_LAWS } from "./laws.ts";
export type { Proven } from "./verdict.ts";
export { witnessLines } from "./witness.ts";
