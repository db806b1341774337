// Tests the output and the exit status of `make mutation`. In each test, a program that only writes a prepared report
// replaces Stryker.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

const MAIN = fileURLToPath(new URL("main.ts", import.meta.url));
const STRYKER = "build/stryker/node_modules/@stryker-mutator/core/bin/stryker.js";

/**
 * Program that reports a hundred mutants in one file of the scope's first folder. Environment variables set the number
 * of mutants that count as detected.
 */
const PROGRAM = `
const { writeFileSync } = require("node:fs");
const { SCOPE, REPORT, POLICY, RULES, ENDS } = process.env;
const noticed = SCOPE.startsWith("compiler/rules") ? RULES : POLICY;
const at = { line: 1, column: 1 };
const mutants = Array.from({ length: 100 }, (_, index) =>
  ({ mutatorName: "x", replacement: "b", status: index < noticed ? "Killed" : "Survived", location: { start: at, end: { line: 1, column: 2 } } }));
writeFileSync(REPORT, JSON.stringify({ files: { [SCOPE.split(",")[0] + "/a.ts"]: { source: "a", mutants } } }));
process.exitCode = Number(ENDS);
`;

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "capc-mutation-main-"));
  mkdirSync(dirname(join(folder, STRYKER)), { recursive: true });
  writeFileSync(join(folder, STRYKER), PROGRAM);
  mkdirSync(join(folder, "compiler/dev/stryker"), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * Runs `make mutation` with a program in place of Stryker. The program reports a hundred mutants for each of the two
 * rooms. `policy` and `rules` are the numbers of mutants that count as detected in these rooms. Returns the exit status
 * and the last line of the output.
 */
function held(
  policy: number,
  rules: number,
  { ends = 0, words = [], sample = "" }: { ends?: number; words?: string[]; sample?: string } = {},
) {
  const env = { ...process.env, POLICY: `${policy}`, RULES: `${rules}`, ENDS: `${ends}`, SAMPLE: sample };
  const { status, stdout } = spawnSync(process.execPath, [MAIN, ...words], { cwd: folder, encoding: "utf8", env });
  return { status, end: stdout.trimEnd().split("\n").at(-1) };
}

test("the tests of each room must detect 85 of a hundred mutants", () => {
  expect(held(85, 85)).toEqual({ status: 0, end: "3 passed, 0 failed" });
  expect(held(84, 100)).toEqual({ status: 1, end: "1 passed, 2 failed" });
  expect(held(100, 84)).toEqual({ status: 1, end: "2 passed, 1 failed" });
});

test("the tests of a requested folder must detect 85 of a hundred mutants too, and the survivors of the folder are written to a file", () => {
  expect(held(84, 0, { words: ["compiler/phases/bind"] })).toEqual({ status: 1, end: "0 passed, 1 failed" });
  expect(held(99, 0, { words: ["compiler/phases/bind"] })).toEqual({ status: 0, end: "1 passed, 0 failed" });
  expect(readFileSync(join(folder, "build/mutation/survivors.txt"), "utf8")).toBe(
    "compiler/phases/bind/a.ts:1:1: a → b\n",
  );
});

const kept = () => JSON.parse(readFileSync(join(folder, "compiler/dev/stryker/scores.json"), "utf8"));

test("stores the score of the measured folder with a digest of its sources, and keeps the scores of other folders", () => {
  mkdirSync(join(folder, "compiler/phases/bind"), { recursive: true });
  writeFileSync(join(folder, "compiler/phases/bind/a.ts"), "first");
  held(99, 0, { words: ["compiler/phases/bind"] });
  const before = kept();
  expect(before["compiler/phases/bind"]).toMatchObject({ noticed: 99, of: 100, score: "99.0" });
  writeFileSync(join(folder, "compiler/phases/bind/a.ts"), "changed");
  held(90, 0, { words: ["compiler/phases/bind"] });
  const { "compiler/phases/bind": after, ...others } = kept();
  expect(after.score).toBe("90.0");
  expect(after.sources).not.toBe(before["compiler/phases/bind"].sources);
  expect(others["compiler/rules"]).toEqual(before["compiler/rules"]);
});

test("a requested room is measured with all of its folders, as in a full run", () => {
  expect(held(85, 85).status).toBe(0);
  const before = kept();
  held(85, 85, { words: ["compiler/rules"] });
  expect(kept()).toEqual(before);
  expect(before["compiler/rules"]).toMatchObject({ noticed: 170, of: 200 });
});

test("does not store the score of a sample", () => {
  held(99, 0, { words: ["compiler/phases/bind"] });
  const before = kept();
  held(90, 0, { words: ["compiler/phases/bind"], sample: "1" });
  expect(kept()).toEqual(before);
});

test("a run fails if Stryker fails, whatever it reported", () => {
  expect(held(100, 100, { ends: 1 }).status).toBe(1);
});
