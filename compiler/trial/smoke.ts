// The example, compiled, booted once, and talked to: every claim of its script, and every effect on its disk, counts.

import { CHECKOUT, type Count, runHere, type Stage } from "./stage.ts";

const EXAMPLE = "examples/first-agent";
const BUILT = "build/test/first-agent";

export const smoke: Stage = {
  name: "smoke",
  run: async () => {
    const capc = `${CHECKOUT}/compiler/cli/main.ts`;
    const built = await runHere(process.execPath, [capc, "build", `${EXAMPLE}/system.cap`, "--out", BUILT]);
    if (built.status !== 0) return { passed: 0, failed: 1 };
    const stage = ["--files", `${EXAMPLE}/disk`, "--keys", `${EXAMPLE}/keys`];
    const words = ["run", `${BUILT}/system.iso`, "--script", `${EXAMPLE}/smoke.chat`, ...stage];
    const { status, output } = await runHere(process.execPath, [capc, ...words], { keep: true });
    return countRun(output, status === 0);
  },
};

/** From the last line, which says `N passed, N failed`. */
export function countRun(output: string, endedWell: boolean): Count {
  const [, good = "0", bad = "0"] = /(\d+) passed, (\d+) failed\s*$/.exec(output) ?? [];
  return { passed: Number(good), failed: endedWell && Number(good) > 0 ? Number(bad) : Math.max(1, Number(bad)) };
}
