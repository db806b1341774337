/** Commands of `workspace/executeCommand` that code lenses run. */
export const RUN_TEST = "capc.runTest";
export const SHOW_DECISIONS = "capc.showDecisions";
