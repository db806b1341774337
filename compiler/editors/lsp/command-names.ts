/** Commands of `workspace/executeCommand`, which lenses name. */
export const RUN_TEST = "capc.runTest";
export const SHOW_DECISIONS = "capc.showDecisions";
