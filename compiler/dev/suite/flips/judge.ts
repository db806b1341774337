// Runs init's own verification, as a program on this machine, with an image that has one changed bit.

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { runCargo } from "../../../../engine/image/init/toolchain.ts";
import { CHECKOUT } from "../stage.ts";
import type { Flip } from "./flips.ts";

const CRATE = join(CHECKOUT, "engine/image/init/Cargo.toml");
const PROGRAM = join(CHECKOUT, "engine/image/init/target/debug/examples/judge");
/** Maximum size of all responses in bytes. A response has about a hundred bytes. */
const MOST_BYTES = 16 * 1024 * 1024;

interface Medium {
  /** Path of the image. `trust` is the path of its trusted keys. */
  readonly image: string;
  readonly trust: string;
  readonly commandLine: string;
}

/** Builds the program that verifies images with init's code. Returns the error if the build fails. */
export function buildJudge(): string | undefined {
  const words = ["build", "--locked", "--quiet", "--manifest-path", CRATE, "--example", "judge"];
  const { status, stderr, error } = runCargo(words);
  return status === 0 ? undefined : (error?.message ?? stderr);
}

/**
 * Returns init's response to each change of the image: `refused: WHAT — WHY`, `same` if init accepts the image and
 * takes the same data as from the original, or `other` if it takes other data.
 */
export function judgeFlips(medium: Medium, flips: readonly Pick<Flip, "offset" | "mask">[]): readonly string[] {
  const { status, stdout, stderr } = spawnSync(PROGRAM, [medium.image, medium.trust, medium.commandLine], {
    encoding: "utf8",
    input: flips.map(({ offset, mask }) => `${offset} ${mask}\n`).join(""),
    maxBuffer: MOST_BYTES,
  });
  const answers = (stdout ?? "").split("\n").slice(0, -1);
  if (status !== 0 || answers.length !== flips.length)
    throw new Error(`the judge answered ${answers.length}: ${stderr}`);
  return answers;
}
