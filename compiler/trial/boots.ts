// The example as an image, and its conversations with it, a boot each: every claim of a script counts, on the console, on the
// disk and in the audit log.

import { rmSync } from "node:fs";
import { CHECKOUT, type Count, countOfOne, runHere, type Stage } from "./stage.ts";

const EXAMPLE = "examples/first-agent";
const BUILT = "build/test/first-agent";
const CAPC = `${CHECKOUT}/compiler/cli/main.ts`;

const image: Stage = {
  name: "image",
  run: async () => {
    // What an earlier run built must not be booted in place of what cannot be built now.
    rmSync(`${CHECKOUT}/${BUILT}`, { recursive: true, force: true });
    const words = ["build", `${EXAMPLE}/system.cap`, "--out", BUILT];
    return countOfOne((await runHere(process.execPath, [CAPC, ...words])).status === 0);
  },
};

function boot(name: string): Stage {
  return {
    name,
    run: async () => {
      const script = ["--script", `${EXAMPLE}/${name}.chat`, "--files", `${EXAMPLE}/disk`, "--keys", `${EXAMPLE}/keys`];
      const words = ["run", `${BUILT}/system.iso`, ...script];
      const { status, output } = await runHere(process.execPath, [CAPC, ...words], { keep: true });
      return countRun(output, status === 0);
    },
  };
}

/** Claims share boots. With that of engine/init/jail.test.ts these are the three that `make test` has room for. */
export const boots: readonly Stage[] = [image, ...["smoke", "nodisk"].map(boot)];

/** From the last line, which says `N passed, N failed`. */
export function countRun(output: string, endedWell: boolean): Count {
  const [, good = "0", bad = "0"] = /(\d+) passed, (\d+) failed\s*$/.exec(output) ?? [];
  return { passed: Number(good), failed: endedWell && Number(good) > 0 ? Number(bad) : Math.max(1, Number(bad)) };
}
