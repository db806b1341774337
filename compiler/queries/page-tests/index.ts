export type { Coverage, CoveredRule } from "./coverage.ts";
export { findFailure, type Listener, type Rehearsed, runTests } from "./run.ts";
