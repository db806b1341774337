// Runs cargo test on the Rust programs. Ignored tests count as failed, as in all stages.

import { CARGO, makeCargoEnvironment } from "../../../engine/image/init/toolchain.ts";
import type { Failure } from "./failures.ts";
import { type Count, countOf, createResult, runHere, type Stage } from "./stage.ts";

/**
 * Turns off incremental builds: the suite builds a checkout once, and storing data for another build takes a tenth of
 * the time.
 */
export const BUILT_ONCE = { CARGO_INCREMENTAL: "0" };

export const cargoTests: Stage = {
  name: "cargo",
  run: async () => {
    const words = ["test", "--locked", "--manifest-path", "engine/image/init/Cargo.toml"];
    const { status, output, complaints } = await runHere(CARGO, words, { env: makeCargoEnvironment(BUILT_ONCE) });
    // If the code does not compile or start, only standard error contains the reason.
    const unnamed = { name: "cargo test", words: complaints };
    return createResult(countCargo(output, status === 0 ? "well" : "badly"), findFailedCargo(output), unnamed);
  },
};

const RESULT = /^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored;/gm;

export function countCargo(output: string, end: "well" | "badly"): Count {
  let passed = 0;
  let failed = 0;
  for (const [, good, bad, ignored] of output.matchAll(RESULT)) {
    passed += Number(good);
    failed += Number(bad) + Number(ignored);
  }
  // If the code does not compile, cargo prints no result.
  return countOf(passed, failed, end);
}

/** Returns each failed test with its output, and each ignored test. */
export function findFailedCargo(output: string): readonly Failure[] {
  const failed = [...output.matchAll(/^---- (\S+) stdout ----\n([\s\S]*?)(?=^---- |^failures:$)/gm)];
  const ignored = [...output.matchAll(/^test (\S+) \.\.\. ignored/gm)];
  return [
    ...failed.map(([, name = "", words = ""]) => ({ name, words })),
    ...ignored.map(([, name = ""]) => ({ name, words: "it was not run" })),
  ];
}
