export type { Coverage, CoveredPair, CoveredRule } from "./coverage.ts";
export { type Rehearsed, runTests, type TestResult } from "./run.ts";
