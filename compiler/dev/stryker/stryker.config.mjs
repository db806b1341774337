// Configuration for mutation tests of the rooms that decide the meaning of a page. main.ts selects the folders of each
// run.

import { fileURLToPath } from "node:url";
import { sourcesOf } from "./scopes.ts";

const { SCOPE: scope = "compiler/rules", REPORT: report = "build/mutation/report.json", SAMPLE: sample } = process.env;

/** @type {import("@stryker-mutator/api/core").PartialStrykerOptions} */
export default {
  testRunner: "vitest",
  plugins: ["@stryker-mutator/vitest-runner", fileURLToPath(new URL("sample.ts", import.meta.url))],
  checkers: sample ? ["drawn"] : [],
  vitest: { configFile: "compiler/dev/stryker/vitest.config.ts", related: false },
  coverageAnalysis: "perTest",
  // Stryker does not change the files after `!`. A codes.ts contains the texts of findings, which tests compare as a
  // whole with bad.txt. A main.ts runs only on machines, not in tests. A bad*.ts only makes the page of an example.
  mutate: [
    ...scope.split(",").map(sourcesOf),
    ...[
      "*.test.ts",
      "index.ts",
      "codes.ts",
      "testing/**",
      "*.fixture.ts",
      "grammar/facts.ts",
      "main.ts",
      "bad*.ts",
    ].map((name) => `!**/${name}`),
  ],
  // Code outside of functions runs when its module is loaded. It only defines tables, and each change of it would need a run of all tests.
  ignoreStatic: true,
  ignorePatterns: ["build", "target", "golden", "examples", "engine/prebuilt", "engine/model", ".capos", "docs"],
  // This file does not exist, so that Stryker rewrites no tsconfig.json: it would need the programming interface of
  // TypeScript, which version 7 lacks. Nothing here needs a rewritten file.
  tsconfigFile: "none.json",
  concurrency: 1,
  // Results for unchanged code and tests are kept, even if a run is aborted. A sample with another seed or size is a
  // separate run.
  incremental: !sample,
  incrementalFile: report.replace(/\.json$/, ".incremental.json"),
  tempDirName: "build/mutation/sandboxes",
  reporters: ["json"],
  jsonReporter: { fileName: report },
  // Mutants that never end are stopped. The limit is long, because a mutant that is only slow on a shared machine must not
  // count as detected.
  timeoutMS: 60_000,
  dryRunTimeoutMinutes: 60,
};
