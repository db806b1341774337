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

/**
 * `endedWell` is Vitest's own verdict. A file that failed without a failed test did not load, or failed outside of its
 * tests: that counts as one failure.
 */
export function countTests(report: unknown, endedWell: boolean): Count {
  const passed = Number(field(report, "numPassedTests") ?? 0);
  const all = Number(field(report, "numTotalTests") ?? 0);
  const files = field(report, "testResults");
  const broken = Array.isArray(files) ? files.filter(failedOutsideOfTests).length : 0;
  const failed = all - passed + broken;
  return { passed, failed: endedWell && all > 0 ? failed : Math.max(1, failed) };
}

function failedOutsideOfTests(file: unknown): boolean {
  const tests = field(file, "assertionResults");
  const hasFailed = Array.isArray(tests) && tests.some((test) => field(test, "status") !== "passed");
  return field(file, "status") === "failed" && !hasFailed;
}

function field(value: unknown, name: string): unknown {
  if (value === null || typeof value !== "object") return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}
