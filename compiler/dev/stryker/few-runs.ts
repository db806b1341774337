import fc from "fast-check";

// With a hundred runs, the test of a law would take a second for each mutant. The seed is fixed, so that results are
// reproducible.
fc.configureGlobal({ numRuns: 20, seed: 1 });
