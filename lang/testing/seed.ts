// SEED=number selects the seed of all random tests.
import fc from "fast-check";

const { SEED = "6" } = process.env;
if (!/^-?\d{1,9}$/.test(SEED)) throw new Error(`SEED is no whole number: ${SEED}`);

fc.configureGlobal({ seed: Number(SEED) });
