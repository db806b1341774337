// Stages of `make test-images` with encrypted data disks that no example has: a disk that is too small, and, in a
// machine of the kind `pc`, a disk that the host filled and encrypted.

import { cpSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { boot } from "../boot.ts";
import { CHECKOUT, createClaim, runCapc, type Stage } from "../stage.ts";
import { getUnlockArguments, type RecordedRun } from "./stages.ts";

/**
 * Returns the stages that start machines with two encrypted disks: one that is too small, and one that the host filled.
 * The example's image turns a blank disk into an encrypted data disk.
 */
export function createEncryptedStarts(recorded: RecordedRun): readonly Stage[] {
  const folder = `${dirname(recorded.image)}/encrypted`;
  return [createTooSmallStage(recorded, folder), buildForPc(recorded, folder), createFilledStage(recorded, folder)];
}

/** Size in bytes that is too small for an encrypted disk: a data disk needs 32 MiB, and encryption 4 MiB more. */
const TOO_SMALL_BYTES = 34 * 1024 * 1024;

function createTooSmallStage(recorded: RecordedRun, folder: string): Stage {
  const disk = `${folder}/small.img`;
  const started = boot(getScriptPath("too-small"), recorded.image, ["--disk", disk, ...getUnlockArguments(recorded)]);
  return {
    name: "encrypted, too small",
    run: () => {
      rmSync(join(CHECKOUT, folder), { recursive: true, force: true });
      mkdirSync(join(CHECKOUT, folder), { recursive: true });
      writeFileSync(join(CHECKOUT, disk), "");
      truncateSync(join(CHECKOUT, disk), TOO_SMALL_BYTES);
      return started.run();
    },
  };
}

function buildForPc({ example }: RecordedRun, folder: string): Stage {
  const name = "build encrypted for pc";
  const page = `${folder}/page`;
  return {
    name,
    run: async () => {
      cpSync(join(CHECKOUT, example), join(CHECKOUT, page), { recursive: true });
      const path = join(CHECKOUT, page, "system.cap");
      writeFileSync(path, readFileSync(path, "utf8").replace(/machine vm\b/, "machine pc  console serial"));
      return createClaim(name, await runCapc(["build", path, "--out", `${folder}/pc`], { quiet: true }));
    },
  };
}

/** Content of the file of the service `books`. It differs from the content that the service itself creates. */
const BOOK = JSON.stringify({ left: { travel: 12_345, coffee: 1 }, made: 7, payments: [] });

function createFilledStage(recorded: RecordedRun, folder: string): Stage {
  const files = `${folder}/files`;
  const more = ["--files", files, ...getUnlockArguments(recorded), "--firmware", "uefi", "--device", "nvme"];
  const started = boot(getScriptPath("filled"), `${folder}/pc/system.iso`, more);
  return {
    name: "encrypted, filled, pc",
    run: () => {
      mkdirSync(join(CHECKOUT, files, "books"), { recursive: true });
      writeFileSync(join(CHECKOUT, files, "books/book.json"), BOOK);
      return started.run();
    },
  };
}

function getScriptPath(name: string): string {
  return `compiler/dev/suite/power/${name}.chat`;
}
