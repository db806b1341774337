export { isFailedProof, judge } from "./judge.ts";
export type { Proven } from "./support/verdict.ts";
export { witnessLines } from "./support/witness.ts";
export { VERDICT_LAWS } from "./verdicts.ts";
