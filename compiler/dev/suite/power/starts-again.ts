// Starts machines again with the disk of a recorded run, for `make test-images`.

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { boot } from "../boot.ts";
import { CHECKOUT, createClaim, createResult, type Result, runCapc, type Stage } from "../stage.ts";
import { getUnlockArguments, type RecordedRun, restoreDiskAfter } from "./stages.ts";

/** Returns the stages that start a machine with an encrypted disk: with wrong passphrases, and with the right one. */
export function createLockedStarts(recorded: RecordedRun): readonly Stage[] {
  return ["wrong-passphrase", "reopened"].map((script) => startAgain(recorded, script, recorded.image));
}

/**
 * Returns stages that build an older image, start a machine with it and the disk of the run, and start one with the
 * same image as before. The console of the second machine is killed.
 */
export function createLaterStarts(recorded: RecordedRun): readonly Stage[] {
  const older = join(dirname(recorded.image), "older");
  return [
    { name: "build an older version", run: async () => buildOlder(recorded, older) },
    startAgain(recorded, "older-version", `${older}/system.iso`),
    startAgain(recorded, "killed-console", recorded.image),
  ];
}

/** Version of the image that used the disk, and the older version, which the machine must refuse. */
const VERSIONS = { from: 'version "0.2.0"', to: 'version "0.1.0"' };

async function buildOlder({ example }: RecordedRun, out: string): Promise<Result> {
  const page = join(CHECKOUT, `${out}-page`);
  for (const folder of [page, join(CHECKOUT, out)]) rmSync(folder, { recursive: true, force: true });
  cpSync(join(CHECKOUT, example), page, { recursive: true });
  const path = join(page, "system.cap");
  const text = readFileSync(path, "utf8");
  const name = "build an older version";
  if (!text.includes(VERSIONS.from)) return createFailure(name, "the example is of another version");
  writeFileSync(path, text.replace(VERSIONS.from, VERSIONS.to));
  return createClaim(name, await runCapc(["build", path, "--out", out], { quiet: true }));
}

/**
 * Returns a stage that starts a machine again with the disk of the run. `script` is the name of a script in this
 * folder.
 */
function startAgain(recorded: RecordedRun, script: string, image: string): Stage {
  const name = `${basename(recorded.example)} ${script}`;
  return {
    name,
    run: async () => {
      const left = restoreDiskAfter(recorded);
      if (!left.ok) return createFailure(name, left.reason);
      const folder = mkdtempSync(join(tmpdir(), "capc-again-"));
      try {
        const disk = join(folder, "data.img");
        writeFileSync(disk, left.value);
        const more = ["--disk", disk, ...getUnlockArguments(recorded)];
        return await boot(`compiler/dev/suite/power/${script}.chat`, image, more).run();
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  };
}

function createFailure(name: string, words: string): Result {
  return createResult({ passed: 0, failed: 1 }, [], { name, words });
}
