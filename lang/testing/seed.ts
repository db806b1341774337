// What runs before every file of tests: random laws begin at the same place in each run, so that what failed fails again, on any
// machine. SEED=number makes another run.
import fc from "fast-check";

const { SEED = "6" } = process.env;
if (!/^-?\d{1,9}$/.test(SEED)) throw new Error(`SEED is no whole number: ${SEED}`);

fc.configureGlobal({ seed: Number(SEED) });
