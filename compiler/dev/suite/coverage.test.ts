// Tests that `make coverage` fails if a test fails, and also if tests run too few lines.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { coverage } from "./coverage.ts";
import type { Result } from "./stage.ts";

/**
 * Simulated checkout with the result of its tests. `lines` is the percentage of lines that the tests run, or
 * `undefined` if the tests write no report.
 */
const house = vi.hoisted(() => ({ checkout: "", failed: 0, lines: 0 as number | undefined }));

vi.mock("./stage.ts", async (original) => {
  house.checkout = mkdtempSync(join(tmpdir(), "capc-coverage-"));
  return { ...(await original<object>()), CHECKOUT: house.checkout };
});
vi.mock("./unit-tests.ts", () => ({ runVitest: async () => testsOfHouse() }));

const summary = () => join(house.checkout, "build/coverage/coverage-summary.json");

function testsOfHouse(): Result {
  if (house.lines !== undefined) write(house.lines);
  const failures = Array.from({ length: house.failed }, () => ({ name: "a test", words: "it does not hold" }));
  return { passed: 7, failed: house.failed, failures };
}

function write(covered: number): void {
  mkdirSync(dirname(summary()), { recursive: true });
  const files = ["lang/text/span.ts", "compiler/rules/check.ts", "engine/processes/gate/gate.ts"].map((path) =>
    join(house.checkout, path),
  );
  const lines = { lines: { total: 100, covered } };
  writeFileSync(summary(), JSON.stringify(Object.fromEntries(files.map((file) => [file, lines]))));
}

beforeEach(() => vi.spyOn(process.stdout, "write").mockReturnValue(true));
afterAll(() => rmSync(house.checkout, { recursive: true }));

const ends = async (lines: number | undefined, failed = 0) => {
  Object.assign(house, { lines, failed });
  const { passed, failed: bad, failures } = await coverage.run();
  return [passed, bad, failures.map(({ name }) => name)];
};

test("the coverage stage passes in each part of the repository if the tests pass and cover enough lines", async () => {
  expect(await ends(95)).toEqual([10, 0, []]);
});

test("the coverage stage fails in each part if too few lines are covered, even if every test passes", async () => {
  expect(await ends(94)).toEqual([8, 2, ["lines of lang", "lines of compiler"]]);
  expect(await ends(89)).toEqual([7, 3, ["lines of lang", "lines of compiler", "lines of engine"]]);
});

test("a failed test is a failure, even if enough lines are covered", async () => {
  expect(await ends(100, 1)).toEqual([10, 1, ["a test"]]);
});

test("a coverage report of an earlier run does not count", async () => {
  write(100);
  expect(await ends(undefined)).toEqual([7, 3, ["lines of lang", "lines of compiler", "lines of engine"]]);
});
