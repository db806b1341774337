// Tests the counts of `make test`: a check that does not run must not count as passed.

import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { countRun } from "./boot.ts";
import { bootsOfTest, SCRIPT_BESIDE_PROBERS, SCRIPTS_OF_TEST } from "./boots.ts";
import { countCargo } from "./cargo-tests.ts";
import { CHECKOUT } from "./stage.ts";
import { BOOTING_TESTS, countTests } from "./unit-tests.ts";

/** Texts in sources that start QEMU. Each text is split, so that the search does not find this file. */
const STARTS_QEMU = [["spawn(", '"qemu-system'].join(""), ["play", "Machine("].join("")];

/**
 * Maximum number of boots. A boot takes a minute of CPU time under emulation, so further checks of a machine must share
 * these boots.
 */
const MOST_BOOTS = 3;

test("the suite boots at most three machines, one of them for examples/first-agent", () => {
  const ownBoots = globSync("{engine,compiler,targets}/**/*.test.ts", { cwd: CHECKOUT }).filter((path) => {
    if (path.includes("node_modules")) return false;
    const text = readFileSync(join(CHECKOUT, path), "utf8");
    return STARTS_QEMU.some((call) => text.includes(call));
  });
  expect(ownBoots).toEqual(BOOTING_TESTS);
  expect(SCRIPTS_OF_TEST).toContain("examples/first-agent/smoke.chat");
  expect(SCRIPTS_OF_TEST.length + ownBoots.length).toBeLessThanOrEqual(MOST_BOOTS);
});

test("the boot that tests the jails also plays an example's script, and its stage is the last stage", () => {
  const machine = readFileSync(join(CHECKOUT, "compiler/dev/jails/jail-machine.ts"), "utf8");
  expect(machine).toContain(`"${dirname(SCRIPT_BESIDE_PROBERS)}"`);
  expect(machine).toContain(`"${basename(SCRIPT_BESIDE_PROBERS)}"`);
  expect(bootsOfTest.map(({ name }) => name).at(-1)).toBe("log-triage triage");
});

test("every example is built before its scripts are played", () => {
  const names = bootsOfTest.map(({ name }) => name);
  const examples = globSync("examples/*/README.md", { cwd: CHECKOUT }).map(
    (path) => `build ${basename(dirname(path))}`,
  );
  expect(names).toEqual(expect.arrayContaining(examples));
  expect(names.indexOf("build first-agent")).toBeLessThan(names.indexOf("first-agent smoke"));
});

const file = (status: string, ...tests: string[]) => ({
  status,
  assertionResults: tests.map((each) => ({ status: each })),
});
const report = (passed: number, all: number, ...files: object[]) => ({
  numPassedTests: passed,
  numTotalTests: all,
  testResults: files,
});

test.each([
  ["all passed", report(2, 2, file("passed", "passed", "passed")), true, { passed: 2, failed: 0 }],
  ["one failed", report(1, 2, file("failed", "passed", "failed")), false, { passed: 1, failed: 1 }],
  [
    "a skipped test counts as failed",
    report(1, 2, file("passed", "passed", "pending")),
    true,
    { passed: 1, failed: 1 },
  ],
  ["a file that did not load", report(1, 1, file("failed"), file("passed", "passed")), false, { passed: 1, failed: 1 }],
  ["an error outside all files", report(1, 1, file("passed", "passed")), false, { passed: 1, failed: 1 }],
  ["no tests at all", report(0, 0), true, { passed: 0, failed: 1 }],
  ["no report", undefined, true, { passed: 0, failed: 1 }],
])("vitest: %s", (_, written, endedWell, counts) => {
  expect(countTests(written, endedWell ? "well" : "badly")).toEqual(counts);
});

const RESULT = "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s\n";

test.each([
  ["results are summed", RESULT + RESULT, true, { passed: 6, failed: 0 }],
  ["an ignored test counts as failed", RESULT.replace("0 ignored", "2 ignored"), true, { passed: 3, failed: 2 }],
  ["a failed test", RESULT.replace("0 failed", "1 failed").replace("ok", "FAILED"), false, { passed: 3, failed: 1 }],
  ["a compile error", "", false, { passed: 0, failed: 1 }],
  ["an incomplete compilation", RESULT, false, { passed: 3, failed: 1 }],
  ["no tests at all", "", true, { passed: 0, failed: 1 }],
])("cargo: %s", (_, output, endedWell, counts) => {
  expect(countCargo(output, endedWell ? "well" : "badly")).toEqual(counts);
});

test.each([
  ["passed and failed claims", { passed: 51, failed: 0 }, true, { passed: 51, failed: 0 }],
  ["failures", { passed: 50, failed: 1 }, false, { passed: 50, failed: 1 }],
  ["a machine that never came up", undefined, false, { passed: 0, failed: 1 }],
  ["a run without claims", { passed: 0, failed: 0 }, true, { passed: 0, failed: 1 }],
  ["a status that contradicts the counts", { passed: 51, failed: 0 }, false, { passed: 51, failed: 1 }],
])("smoke: %s", (_, written, endedWell, counts) => {
  expect(countRun(written, endedWell ? "well" : "badly")).toEqual(counts);
});
