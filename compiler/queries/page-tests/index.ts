export type { Coverage, CoveredPair, CoveredRule } from "./coverage.ts";
export { failureOf, type Listener, type Rehearsed, runTests, type TestResult } from "./run.ts";
