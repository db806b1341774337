export type { Coverage, CoveredRule } from "./coverage.ts";
export { failureOf, type Listener, type Rehearsed, runTests } from "./run.ts";
