// Runs the checks of `make test`, one stage after the other; a failed stage does not prevent the others. With the word `images` it is
// `make test-images`: every example is built, and every script is played on a machine. A pattern after the word selects stages by their
// names. With `coverage` it is `make coverage`.

import { readChildrenCpuSeconds } from "../../machine/cpu-time.ts";
import { attackedBoots } from "./attacked/stage.ts";
import { allBoots, bootsOfTest } from "./boots.ts";
import { cargoTests } from "./cargo-tests.ts";
import { lint, rebuild, types } from "./checks.ts";
import { clippy } from "./clippy.ts";
import { coverage } from "./coverage.ts";
import { drawFailures } from "./failures.ts";
import { createSpoiledBoots } from "./flips/booted.ts";
import { createSpoiledStage } from "./flips/spoiled.ts";
import { createHangStages } from "./hang/stage.ts";
import { hostileWeights } from "./hostile/stage.ts";
import { matrix } from "./matrix.ts";
import { createHostStages } from "./on-host/stage.ts";
import { refutation } from "./refutation.ts";
import { screens } from "./screen/stage.ts";
import { secureBoot } from "./secure-boot.ts";
import { createSpdxStages } from "./spdx/stage.ts";
import { createSpeakingStage } from "./speaking.ts";
import type { Result, Stage } from "./stage.ts";
import { browserTests, jailed, largeTests, unitTests } from "./unit-tests.ts";

/** Image that earlier stages build. */
const BUILT = "build/test/first-agent/system.iso";
/** Image with a model. It has structures that no other image has. */
const WITH_WEIGHTS = "build/test/offline-agent/system.iso";

interface Suite {
  readonly stages: readonly Stage[];
  /** Maximum CPU seconds of the whole suite. */
  readonly budget: number;
}

/**
 * Maximum CPU seconds of `make test`. A run may take at most 45 minutes, in which two processors have 90 minutes of
 * CPU time; the budget is half of this CPU time. An earlier suite used 1,360 CPU seconds on one day, and 1,800 while
 * other programs ran. The present suite used 2,508 CPU seconds while eight other programs ran, because those programs
 * displace cached data.
 */
const BUDGET = 45 * 60;
/**
 * Maximum CPU seconds of `make test-images`, which only a person starts. Forty machines used 1,226 CPU seconds on a
 * busy host. About twenty further machines, with encrypted disks, weights and examples, use 25 to 50 CPU seconds each
 * on the same host.
 */
const BUDGET_OF_IMAGES = 45 * 60;

const OTHERS: Readonly<Record<string, Suite>> = {
  images: {
    stages: [
      largeTests,
      browserTests,
      ...allBoots,
      createSpeakingStage(WITH_WEIGHTS),
      ...refutation,
      ...createSpoiledBoots(BUILT, WITH_WEIGHTS),
      hostileWeights,
      ...attackedBoots,
      ...createHangStages(BUILT),
      ...createHostStages(BUILT),
      ...matrix,
      ...screens,
      ...secureBoot,
      ...createSpdxStages([BUILT, WITH_WEIGHTS]),
    ],
    budget: BUDGET_OF_IMAGES,
  },
  coverage: { stages: [coverage], budget: BUDGET },
};
const OF_TEST: Suite = {
  stages: [
    types,
    lint,
    unitTests,
    cargoTests,
    clippy,
    rebuild,
    ...bootsOfTest,
    jailed,
    createSpoiledStage([BUILT, WITH_WEIGHTS]),
  ],
  budget: BUDGET,
};
const SUITE = OTHERS[process.argv[2] ?? ""] ?? OF_TEST;

interface Timed extends Result {
  readonly name: string;
  readonly cpuSeconds: number;
}

async function runStage(stage: Stage): Promise<Timed> {
  process.stdout.write(`\n== ${stage.name}\n`);
  const before = readChildrenCpuSeconds();
  const result = await stage.run();
  const timed = { ...result, name: stage.name, cpuSeconds: readChildrenCpuSeconds() - before };
  // The result is printed at once, so that an interrupted run has printed the results of all finished stages.
  process.stdout.write(formatStage(timed));
  return timed;
}

function formatStage({ name, passed, failed, notRun, cpuSeconds }: Timed): string {
  const came = notRun === undefined ? `${passed} passed, ${failed} failed` : `not run: ${notRun}`;
  return `${name.padEnd(20)}${cpuSeconds.toFixed(1).padStart(8)} CPU s   ${came}\n`;
}

/**
 * Returns the stages whose names match the pattern. A pattern must also match the stages that build the needed images.
 */
function chooseStages({ stages }: Suite, pattern: string): readonly Stage[] {
  const found = stages.filter(({ name }) => new RegExp(pattern).test(name));
  if (found.length > 0) return found;
  process.stdout.write(
    `no stage is called /${pattern}/; there are:\n${stages.map(({ name }) => `  ${name}\n`).join("")}`,
  );
  return [{ name: "what was asked for", run: async () => ({ passed: 0, failed: 1, failures: [] }) }];
}

const stages: Timed[] = [];
const PATTERN = SUITE === OTHERS["images"] ? (process.argv[3] ?? "") : "";
for (const stage of chooseStages(SUITE, PATTERN)) stages.push(await runStage(stage));

const cpuSeconds = stages.reduce((sum, stage) => sum + stage.cpuSeconds, 0);
const isKept = cpuSeconds <= SUITE.budget;
const overrun = {
  name: "the budget of CPU time",
  words: `${cpuSeconds.toFixed(0)} of ${SUITE.budget} CPU seconds used`,
};
const budget: Timed = {
  name: "budget",
  cpuSeconds,
  passed: isKept ? 1 : 0,
  failed: isKept ? 0 : 1,
  failures: isKept ? [] : [overrun],
};
const all = [...stages, budget];
const passed = all.reduce((sum, stage) => sum + stage.passed, 0);
const failed = all.reduce((sum, stage) => sum + stage.failed, 0);

process.stdout.write(`\n${all.map(formatStage).join("")}`);
process.stdout.write(all.map(({ name, failures }) => drawFailures(name, failures)).join(""));
process.stdout.write(
  `${cpuSeconds.toFixed(0)} of ${SUITE.budget} CPU seconds used\n${passed} passed, ${failed} failed\n`,
);
process.exitCode = failed === 0 ? 0 : 1;
