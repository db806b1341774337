// Tests the end of `make test`, with stages that only do what each test needs.

import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "capc-trial-"));
  for (const inner of [
    "dev/suite/attacked",
    "dev/suite/flips",
    "dev/suite/hang",
    "dev/suite/hostile",
    "dev/suite/on-host",
    "dev/suite/screen",
    "dev/suite/spdx",
    "machine",
  ])
    mkdirSync(join(folder, inner), { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  for (const name of ["main.ts", "failures.ts"])
    copyFileSync(fileURLToPath(new URL(name, import.meta.url)), join(folder, "dev/suite", name));
  const stages = {
    "attacked/stage": "attackedBoots = []",
    boots: "allBoots = [], bootsOfTest = []",
    "cargo-tests": 'cargoTests = stage("cargo")',
    checks: 'types = stage("types"), lint = stage("lint"), rebuild = stage("rebuild")',
    clippy: 'clippy = stage("clippy")',
    coverage: 'coverage = stage("coverage")',
    "flips/booted": "createSpoiledBoots = () => []",
    "flips/spoiled": 'createSpoiledStage = () => stage("changed bits")',
    "hang/stage": "createHangStages = () => []",
    "on-host/stage": "createHostStages = () => []",
    "hostile/stage": 'hostileWeights = stage("hostile")',
    matrix: "matrix = []",
    refutation: "refutation = []",
    "screen/stage": "screens = []",
    "secure-boot": "secureBoot = []",
    "spdx/stage": "createSpdxStages = () => []",
    speaking: "createSpeakingStage = () => ({ ...stage('speaking'), run: async () => NOT_RUN })",
    "unit-tests":
      'unitTests = stage("vitest"), jailed = stage("jailed"), largeTests = stage("large"), browserTests = stage("browser")',
  };
  const stage = `const NOT_RUN = { passed: 0, failed: 0, failures: [], notRun: "there is no KVM" };
    const fails = (name) => process.env.FAILS === name;
    const failure = { name: "a claim", words: "it does not hold" };
    const stage = (name) => ({ name, run: async () =>
      fails(name) ? { passed: 1, failed: 1, failures: [failure] } : { passed: 1, failed: 0, failures: [] } });`;
  for (const [name, exported] of Object.entries(stages))
    writeFileSync(join(folder, `dev/suite/${name}.ts`), `${stage}\nexport const ${exported};`);
  const seconds =
    "let used = 0; export const readChildrenCpuSeconds = () => (used++ === 1 ? Number(process.env.SECONDS) : 0);";
  writeFileSync(join(folder, "machine/cpu-time.ts"), seconds);
});
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * Runs the suite. The first stage uses `seconds` of CPU time, and the stage that `fails` names fails. Returns the exit
 * status, the output, and the last line of the output.
 */
function trial(seconds: number, fails = "", ...words: string[]) {
  const env = { ...process.env, SECONDS: `${seconds}`, FAILS: fails };
  const { status, stdout } = spawnSync(process.execPath, [join(folder, "dev/suite/main.ts"), ...words], {
    encoding: "utf8",
    env,
  });
  return { status, stdout, end: stdout.trimEnd().split("\n").at(-1) };
}

test("the run passes if every stage passes within the CPU budget", () => {
  expect(trial(2700)).toMatchObject({ status: 0, end: "9 passed, 0 failed" });
  expect(trial(0, "", "coverage")).toMatchObject({ status: 0, end: "2 passed, 0 failed" });
});

test("a pattern selects stages of images, an unknown name fails, and stages of `make test` cannot be skipped", () => {
  expect(trial(0, "", "images", "^lar")).toMatchObject({ status: 0, end: "2 passed, 0 failed" });
  const left = trial(0, "", "images", "^speaking");
  expect(left).toMatchObject({ status: 0, end: "1 passed, 0 failed" });
  expect(left.stdout).toMatch(/^speaking .* not run: there is no KVM$/m);
  const { stdout, ...none } = trial(0, "", "images", "huge");
  expect(none).toEqual({ status: 1, end: "1 passed, 1 failed" });
  expect(stdout).toContain("no stage is called /huge/; there are:\n  large\n");
  expect(trial(0, "", "", "types")).toMatchObject({ end: "9 passed, 0 failed" });
});

test("each stage prints its result when it ends", () => {
  const { stdout } = trial(0, "lint");
  expect(stdout).toMatch(
    /\n== types\ntypes .* 1 passed, 0 failed\n\n== lint\nlint .* 1 passed, 1 failed\n\n== vitest\n/,
  );
});

test.each(["types", "lint", "vitest", "cargo", "clippy", "rebuild", "jailed", "changed bits"])(
  "a failure of %s is named at the end, and fails the run",
  (name) => {
    const { status, stdout, end } = trial(0, name);
    expect([status, end]).toEqual([1, "9 passed, 1 failed"]);
    expect(stdout.slice(stdout.lastIndexOf("budget"))).toContain("failed: a claim\n  it does not hold\n");
  },
);

test("a failure of a requested stage fails the run", () => {
  expect(trial(0, "coverage", "coverage")).toMatchObject({ status: 1, end: "2 passed, 1 failed" });
});

test("a run above the CPU budget fails, even if all stages pass", () => {
  const { status, stdout, end } = trial(2701);
  expect([status, end]).toEqual([1, "8 passed, 1 failed"]);
  expect(stdout).toContain("failed: the budget of CPU time\n  2701 of 2700 CPU seconds used\n");
  expect(trial(2700, "", "images")).toMatchObject({ status: 0 });
  expect(trial(2701, "", "images").stdout).toContain("2701 of 2700 CPU seconds used\n");
});
