// Configures Stryker, which mutates some folders of the rooms that decide the meaning of a page. main.ts selects the
// folders of a run.

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
  // A codes.ts contains message texts, which tests compare with the bad.txt files of examples. Code in a main.ts runs
  // only when a machine boots, not in tests. A bad*.ts only generates an example page.
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
  // Code that runs when a module is loaded is mostly a table. Each mutant of such code would need a run of every test.
  ignoreStatic: true,
  ignorePatterns: ["build", "target", "golden", "examples", "engine/prebuilt", "engine/model", ".capos", "docs"],
  // Stryker rewrites a tsconfig.json with the programming interface of TypeScript, which TypeScript 7 does not have.
  // This file does not exist, so Stryker rewrites nothing.
  tsconfigFile: "none.json",
  concurrency: 1,
  // Results for unchanged code and tests are reused, even after an aborted run. A sample does not reuse results,
  // because another sample contains other mutants.
  incremental: !sample,
  incrementalFile: report.replace(/\.json$/, ".incremental.json"),
  tempDirName: "build/mutation/sandboxes",
  reporters: ["json"],
  jsonReporter: { fileName: report },
  // A test that never ends because of its mutant is stopped. The limit is long, because a mutant that is only slow on a
  // shared machine must not count as detected.
  timeoutMS: 60_000,
  dryRunTimeoutMinutes: 60,
};
