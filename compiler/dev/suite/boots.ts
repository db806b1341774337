// Builds examples as images, and plays their scripts, with one boot for each.

import { existsSync, globSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { boot, nameOf } from "./boot.ts";
import { createEncryptedStarts } from "./power/encrypted-starts.ts";
import { createBootedCuts, createPowerCuts, type RecordedRun, readCuts } from "./power/stages.ts";
import { createLaterStarts, createLockedStarts } from "./power/starts-again.ts";
import { SPEAKING } from "./speaking.ts";
import { CHECKOUT, createClaim, runCapc, type Stage } from "./stage.ts";
import { BOOTING_TESTS, runVitest } from "./unit-tests.ts";

/**
 * Paths relative to the checkout: every script of an example, except the script that needs a fast machine. Each script
 * boots a machine.
 */
const SCRIPTS: readonly string[] = globSync("examples/*/*.chat", { cwd: CHECKOUT })
  .filter((script) => script !== SPEAKING)
  .sort();

/**
 * Script that a test plays on a machine with probers: processes that try forbidden actions in jails. So one boot tests
 * the script and the jails.
 */
export const SCRIPT_BESIDE_PROBERS = "examples/log-triage/triage.chat";

/** The example that uses every feature. */
const EVERYTHING = "examples/first-agent";

/**
 * Scripts of `make test`. They boot the machine with every feature, and the machine without a data disk; further boots
 * would take too much CPU time.
 */
export const SCRIPTS_OF_TEST = SCRIPTS.filter((script) => dirname(script) === EVERYTHING);

/** Returns the folder in which an example is built for its scripts. */
function getBuildFolder(example: string): string {
  return `build/test/${basename(example)}`;
}

function createImageStage(example: string): Stage {
  const name = `build ${basename(example)}`;
  return {
    name,
    run: async () => {
      // Removes the image of an earlier run: if this build fails, no later stage may boot the old image.
      rmSync(join(CHECKOUT, getBuildFolder(example)), { recursive: true, force: true });
      const words = [
        "build",
        `${example}/system.cap`,
        "--out",
        getBuildFolder(example),
        ...(WITHOUT_IMAGE[example] ?? []),
      ];
      return createClaim(name, await runCapc(words));
    },
  };
}

/**
 * Examples whose image needs a kernel that is not in this checkout. For each of these examples, only the listed
 * artefacts are built.
 */
const WITHOUT_IMAGE: Readonly<Record<string, readonly string[]>> = {
  "examples/upstream-capos": ["--emit", "tables,manifest,proofs"],
};

const EXAMPLES = globSync("examples/*/system.cap", { cwd: CHECKOUT }).map(dirname).sort();

/**
 * Scripts with other boot options, which test that UEFI starts an image too, and that the image may be on an optical
 * drive.
 */
const STARTED_OTHERWISE: Readonly<Record<string, readonly string[]>> = {
  [`${EVERYTHING}/nodisk.chat`]: ["--firmware", "uefi", "--device", "ide-cd"],
};

/** Script that begins with a blank disk. The machine turns this disk into its encrypted data disk. */
const FROM_BLANK = "examples/capnp-tools/smoke.chat";

/**
 * Scripts whose writes to the data disk are recorded, so that later stages can restore the disk as after a power cut.
 */
const RECORDED: readonly string[] = [`${EVERYTHING}/smoke.chat`, FROM_BLANK];

function describeRecordedRun(example: string): RecordedRun {
  const folder = getBuildFolder(example);
  const passphrase = `${example}/passphrase`;
  return {
    example,
    image: `${folder}/system.iso`,
    record: `${folder}/writes.log`,
    passphrase: existsSync(join(CHECKOUT, passphrase)) ? passphrase : undefined,
  };
}

function createScriptStages(script: string, example: string): readonly Stage[] {
  const recorded = describeRecordedRun(example);
  const more = STARTED_OTHERWISE[script] ?? [];
  if (!RECORDED.includes(script)) return [boot(script, recorded.image, more)];
  return [
    boot(script, recorded.image, [...more, "--record", recorded.record]),
    createPowerCuts(recorded),
    readCuts(recorded),
  ];
}

/** Returns stages that build each example, and play those of its scripts that are in `scripts`. */
function createBootStages(scripts: readonly string[]): readonly Stage[] {
  return EXAMPLES.flatMap((example) => [
    createImageStage(example),
    ...scripts.filter((script) => dirname(script) === example).flatMap((script) => createScriptStages(script, example)),
  ]);
}

const besideProbers: Stage = {
  name: nameOf(SCRIPT_BESIDE_PROBERS),
  run: () => runVitest(...BOOTING_TESTS),
};

/** Stages of `make test`. */
export const bootsOfTest = [...createBootStages(SCRIPTS_OF_TEST), besideProbers];
/**
 * Stages of `make test-images`: every script of every example, and restarts with disks that two of these scripts left.
 */
export const allBoots = [
  ...createBootStages(SCRIPTS),
  ...createLaterStarts(describeRecordedRun(EVERYTHING)),
  ...createLockedStarts(describeRecordedRun(dirname(FROM_BLANK))),
  ...createEncryptedStarts(describeRecordedRun(dirname(FROM_BLANK))),
  createBootedCuts(describeRecordedRun(dirname(FROM_BLANK))),
];
