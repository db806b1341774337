// Runs the programs of the system that build the package. If a program fails, the build ends and shows the error output of the program.

import { spawnSync } from "node:child_process";

/**
 * An error that is not a defect of this package, for example because a program is missing. The message is a sentence
 * for a person.
 */
export class Refusal extends Error {}

/** Maximum time for one of these programs; a busy machine compiles all of libisofs in a few minutes. */
const LONGEST_MS = 20 * 60_000;

/**
 * Returns the output of a program, or throws. The environment of the program has only `more` and the variables that are needed to find
 * programs.
 */
export function run(
  program: string,
  words: readonly string[],
  folder: string,
  more: Readonly<Record<string, string>> = {},
): string {
  const env = { PATH: process.env["PATH"], HOME: process.env["HOME"], LC_ALL: "C", ...more };
  const ran = spawnSync(program, words, {
    cwd: folder,
    encoding: "utf8",
    env,
    timeout: LONGEST_MS,
    maxBuffer: 1 << 26,
  });
  if (ran.error !== undefined) throw new Refusal(`${program} could not be run: ${ran.error.message}`);
  if (ran.status !== 0) throw new Refusal(`${program} failed:\n${ran.stderr.trim()}`);
  return ran.stdout;
}
