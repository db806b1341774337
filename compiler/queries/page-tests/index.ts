export type { Coverage, CoveredRule } from "./coverage.ts";
export { type FailedStep, findFailure, type Listener, listFailedSteps, runTests, type TestRun } from "./run.ts";
