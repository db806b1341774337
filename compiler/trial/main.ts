// Everything that `make test` checks, one stage after the other; a failed stage does not keep the others from running.
// With the word `images` it is `make test-images`: every example built, and every script of theirs played on a machine;
// with `coverage` it is `make coverage`.

import { cpuSecondsOfChildren } from "../cli/machine/cpu-time.ts";
import { allBoots, bootsOfTest } from "./boots.ts";
import { cargoTests } from "./cargo-tests.ts";
import { lint, rebuild, types } from "./checks.ts";
import { coverage } from "./coverage.ts";
import { drawFailures } from "./failures.ts";
import { spoiledBoots } from "./flips/booted.ts";
import { spoiled } from "./flips/spoiled.ts";
import { hangs } from "./hang/stage.ts";
import { matrix } from "./matrix.ts";
import { refutation } from "./refutation.ts";
import { secureBoot } from "./secure-boot.ts";
import { spdx } from "./spdx/stage.ts";
import type { Result, Stage } from "./stage.ts";
import { largeTests, unitTests } from "./unit-tests.ts";

/** The stages before those that look at it build it. */
const BUILT = "build/test/first-agent/system.iso";
/** Has a model in it, and so what no other has. */
const WITH_WEIGHTS = "build/test/offline-agent/system.iso";

const OTHERS: Readonly<Record<string, readonly Stage[]>> = {
  images: [
    largeTests,
    ...allBoots,
    ...refutation,
    ...spoiledBoots(BUILT),
    ...hangs(BUILT),
    ...matrix,
    ...secureBoot,
    ...spdx([BUILT, WITH_WEIGHTS]),
  ],
  coverage: [coverage],
};
const OF_TEST: readonly Stage[] = [
  types,
  lint,
  unitTests,
  cargoTests,
  rebuild,
  ...bootsOfTest,
  spoiled([BUILT, WITH_WEIGHTS]),
];
const STAGES = OTHERS[process.argv[2] ?? ""] ?? OF_TEST;

/**
 * CPU seconds that the whole of it may take: half of what two processors have in the thirty minutes that a run may last. The
 * same work was seen to cost from 800 to 1,100, by what else a machine does.
 */
const BUDGET = 30 * 60;

interface Timed extends Result {
  readonly name: string;
  readonly cpuSeconds: number;
}

async function runStage(stage: Stage): Promise<Timed> {
  process.stdout.write(`\n== ${stage.name}\n`);
  const before = cpuSecondsOfChildren();
  const result = await stage.run();
  return { ...result, name: stage.name, cpuSeconds: cpuSecondsOfChildren() - before };
}

function line({ name, passed, failed, cpuSeconds }: Timed): string {
  return `${name.padEnd(20)}${cpuSeconds.toFixed(1).padStart(8)} CPU s   ${passed} passed, ${failed} failed\n`;
}

const stages: Timed[] = [];
for (const stage of STAGES) stages.push(await runStage(stage));

const cpuSeconds = stages.reduce((sum, stage) => sum + stage.cpuSeconds, 0);
const isKept = cpuSeconds <= BUDGET;
const overrun = { name: "the budget of CPU time", words: `${cpuSeconds.toFixed(0)} of ${BUDGET} CPU seconds used` };
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

process.stdout.write(`\n${all.map(line).join("")}`);
process.stdout.write(all.map(({ name, failures }) => drawFailures(name, failures)).join(""));
process.stdout.write(`${cpuSeconds.toFixed(0)} of ${BUDGET} CPU seconds used\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
