// Vitest over every room. A test that was skipped or marked as to do counts as failed: nothing is green by not running.

import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { CHECKOUT, type Count, runHere, type Stage } from "./stage.ts";

const REPORT = join(CHECKOUT, "build/test/vitest.json");

export const unitTests: Stage = {
  name: "vitest",
  run: async () => {
    mkdirSync(dirname(REPORT), { recursive: true });
    rmSync(REPORT, { force: true });
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${REPORT}`];
    const { status } = await runHere(process.execPath, ["node_modules/vitest/vitest.mjs", "run", ...reporters]);
    return countTests(report(), status === 0);
  },
};

function report(): unknown {
  try {
    return JSON.parse(readFileSync(REPORT, "utf8"));
  } catch {
    return undefined;
  }
}

/** `endedWell` is Vitest's own verdict, which knows of files that did not load and of errors outside tests. */
export function countTests(report: unknown, endedWell: boolean): Count {
  const passed = figure(report, "numPassedTests");
  const all = figure(report, "numTotalTests");
  const failed = all - passed;
  return { passed, failed: endedWell && all > 0 ? failed : Math.max(1, failed) };
}

function figure(report: unknown, name: string): number {
  if (report === null || typeof report !== "object") return 0;
  const value: unknown = Object.entries(report).find(([key]) => key === name)?.[1];
  return typeof value === "number" ? value : 0;
}
