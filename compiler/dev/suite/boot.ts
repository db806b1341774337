// Boots a machine that plays a script. Each claim of the script about the console, the disk or the audit log counts as
// a test.

import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Failure } from "./failures.ts";
import { getField, list, reportIn } from "./report.ts";
import { CHECKOUT, type Count, countOf, createResult, runCapc, type Stage } from "./stage.ts";

/** Returns the name of the stage that plays the script. */
export function nameOf(script: string): string {
  return `${basename(dirname(script))} ${basename(script, ".chat")}`;
}

/** Files that may be beside a script, with the options that pass them to `capc run`. */
const BESIDE = { disk: "--files", keys: "--keys", passphrase: "--passphrase-file", web: "--web", network: "--network" };

/** Memory in mebibytes that must suffice for every example, with its whole script. */
export const PROMISED_MEMORY = 512;

/**
 * Plays a script on an image with `mebibytes` of memory. If there are no files for the disk beside the script, the disk
 * is empty; if there are no keys beside it, nobody can sign.
 */
export function boot(
  script: string,
  image: string,
  more: readonly string[] = [],
  mebibytes: number = PROMISED_MEMORY,
): Stage {
  const folder = dirname(script);
  return {
    name: nameOf(script),
    run: async () => {
      const beside = Object.entries(BESIDE).filter(([name]) => existsSync(join(CHECKOUT, folder, name)));
      const options = beside.flatMap(([name, option]) => [option, `${folder}/${name}`]);
      const memory = ["--memory", `${mebibytes}`];
      const words = ["run", image, "--script", script, ...memory, ...options, ...more, "--json"];
      const { status, output, complaints } = await runCapc(words, { quiet: true });
      const report = reportIn(output);
      process.stdout.write(`CPU seconds of the machine: ${Number(getField(report, "cpuSeconds") ?? 0).toFixed(1)}\n`);
      const unnamed = { name: script, words: getLastLines(complaints) };
      return createResult(countRun(report, status === 0 ? "well" : "badly"), findFailedClaims(report, script), unnamed);
    },
  };
}

/**
 * Counts the passed and the failed claims of a run. If the machine never started, or the exit status contradicts the
 * counts, the run failed.
 */
export function countRun(report: unknown, end: "well" | "badly"): Count {
  const passed = Number(getField(report, "passed") ?? 0);
  const failed = Number(getField(report, "failed") ?? 0);
  return countOf(passed, failed, end);
}

/**
 * Returns the failed claims, each with its line in the script. Line 0 stands for a claim that every run makes, such as
 * that the machine ends well.
 */
export function findFailedClaims(report: unknown, script: string): readonly Failure[] {
  return list(report, "verdicts")
    .filter((verdict) => getField(verdict, "passed") !== true)
    .map((verdict) => ({ name: `${script}:${getField(verdict, "line")}`, words: String(getField(verdict, "words")) }));
}

/** Returns the last lines of a machine's output, which usually explain a failure. */
function getLastLines(text: string): string {
  return text.trimEnd().split("\n").slice(-10).join("\n");
}
