// cargo test of the programs that are written in Rust. Ignored tests count as failed, as everywhere.

import { type Count, runHere, type Stage } from "./stage.ts";

export const cargoTests: Stage = {
  name: "cargo",
  run: async () => {
    const words = ["test", "--locked", "--manifest-path", "engine/init/Cargo.toml"];
    const { status, output } = await runHere("cargo", words, { keep: true });
    return countCargo(output, status === 0);
  },
};

const RESULT = /^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored;/gm;

export function countCargo(output: string, endedWell: boolean): Count {
  let passed = 0;
  let failed = 0;
  for (const [, good, bad, ignored] of output.matchAll(RESULT)) {
    passed += Number(good);
    failed += Number(bad) + Number(ignored);
  }
  // What does not compile prints no result at all.
  return { passed, failed: endedWell && passed > 0 ? failed : Math.max(1, failed) };
}
