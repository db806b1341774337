// Tests that the end of `make test` names each failure of any stage.

import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { findFailedClaims } from "./boot.ts";
import { findFailedCargo } from "./cargo-tests.ts";
import { drawFailures } from "./failures.ts";
import { addResults, CHECKOUT, createClaim, createScratchStage, judgeClaims, runHere } from "./stage.ts";
import { findFailedTests } from "./unit-tests.ts";

const RUNNER = "    at new Promise (<anonymous>)\n    at run (file:///checkout/node_modules/vitest/run.js:1:2)";

test("vitest: names a failed test by file and name, and also a skipped test and a file that did not load", () => {
  const failed = {
    status: "failed",
    fullName: "sums hold",
    failureMessages: [`expected 1 to be 2\n    at x.ts:3\n${RUNNER}`],
  };
  const skipped = { status: "pending", fullName: "later", failureMessages: [] };
  const report = {
    testResults: [
      {
        name: `${CHECKOUT}lang/x.test.ts`,
        status: "failed",
        assertionResults: [{ status: "passed" }, failed, skipped],
      },
      { name: `${CHECKOUT}lang/y.test.ts`, status: "failed", message: "no such module", assertionResults: [] },
    ],
  };
  expect(findFailedTests(report)).toEqual([
    { name: "lang/x.test.ts: sums hold", words: "expected 1 to be 2\n    at x.ts:3" },
    { name: "lang/x.test.ts: later", words: "it was pending" },
    { name: "lang/y.test.ts", words: "no such module" },
  ]);
  expect(findFailedTests(undefined)).toEqual([]);
});

const CARGO = `running 3 tests
test jail::opens ... ok
test jail::shuts ... FAILED
test jail::waits ... ignored

failures:

---- jail::shuts stdout ----

thread 'jail::shuts' panicked at src/jail.rs:9:5:
left: 1

failures:
    jail::shuts

test result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s
`;

test("cargo: names a failed test with its panic, and also an ignored test", () => {
  expect(findFailedCargo(CARGO)).toEqual([
    { name: "jail::shuts", words: expect.stringContaining("panicked at src/jail.rs:9:5:\nleft: 1") },
    { name: "jail::waits", words: "it was not run" },
  ]);
});

test("a boot: names a failed claim of a chat script by the file and line of the claim", () => {
  const verdicts = [
    { line: 3, passed: true, words: "a" },
    { line: 4, passed: false, words: "a line with b" },
  ];
  expect(findFailedClaims({ verdicts }, "smoke.chat")).toEqual([{ name: "smoke.chat:4", words: "a line with b" }]);
});

test("names a failed program with its output", async () => {
  const ended = await runHere(process.execPath, ["-e", "process.exitCode = console.log('out') ?? 7"], { quiet: true });
  expect(createClaim("x", ended)).toEqual({ passed: 0, failed: 1, failures: [{ name: "x", words: "out\n" }] });
  expect(createClaim("x", { ...ended, status: 0 })).toEqual({ passed: 1, failed: 0, failures: [] });
});

test("sums up results, and turns each failed claim into a failure with the observed lines", () => {
  const claims = judgeClaims(
    [
      ["it came up", true],
      ["it ended in order", false],
    ],
    ["one", "two"],
  );
  const failure = { name: "it ended in order", words: "one\ntwo" };
  expect(claims).toEqual({ passed: 1, failed: 1, failures: [failure] });
  const ofOther = { passed: 3, failed: 2, failures: [{ name: "x", words: "" }] };
  expect(addResults(claims, ofOther)).toEqual({ passed: 4, failed: 3, failures: [failure, ...ofOther.failures] });
});

test("prints failures in a few lines without colour, and counts the failures that are not printed", () => {
  const long = Array.from({ length: 20 }, (_, at) => `line ${at}`).join("\n\n");
  const [name, first, ...rest] = drawFailures("s", [{ name: "x", words: `\u001b[31mred\u001b[39m\n${long}` }]).split(
    "\n",
  );
  expect([name, first, rest.at(-2)]).toEqual(["failed: x", "  red", "  … 9 lines more"]);
  const many = drawFailures(
    "smoke",
    Array.from({ length: 11 }, () => ({ name: "x", words: "" })),
  );
  expect(many.endsWith("failed: x\nand 3 failures more of smoke\n")).toBe(true);
  expect(drawFailures("smoke", [])).toBe("");
});

test("removes a stage's folder after the stage, and turns an exception into a failure", async () => {
  let folder = "";
  const thrown = createScratchStage("x", async (scratch) => {
    folder = scratch;
    expect(existsSync(scratch)).toBe(true);
    throw new Error("no machine");
  });
  expect(await thrown.run()).toEqual({ passed: 0, failed: 1, failures: [{ name: "x", words: "no machine" }] });
  expect(existsSync(folder)).toBe(false);
});
