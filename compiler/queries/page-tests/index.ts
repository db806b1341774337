export type { Coverage, CoveredRule } from "./coverage.ts";
export { findFailure, type Listener, runTests, type TestRun } from "./run.ts";
