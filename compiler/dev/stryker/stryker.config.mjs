// Mutation testing of some folders of the rooms that decide what a page means. main.ts says which at a time.

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
  // What codes.ts has is words: they are compared as a whole by the examples' bad.txt. A main.ts is run by boots, and by no test. A bad*.ts writes an example.
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
  // What runs when a module is loaded is a table, and changing it costs a run of every test.
  ignoreStatic: true,
  ignorePatterns: ["build", "target", "golden", "examples", "engine/prebuilt", "engine/model", ".capos", "docs"],
  // TypeScript 7 has no interface for programs, which Stryker would rewrite tsconfig.json with; nothing here needs it.
  tsconfigFile: "none.json",
  concurrency: 1,
  // What was found of code and tests that are the same as then is kept, also where a run is broken off. Another drawing is another run.
  incremental: !sample,
  incrementalFile: report.replace(/\.json$/, ".incremental.json"),
  tempDirName: "build/mutation/sandboxes",
  reporters: ["json"],
  jsonReporter: { fileName: report },
  // What never ends is ended. A shared machine may be slow, and what only was slow must not count as noticed.
  timeoutMS: 60_000,
  dryRunTimeoutMinutes: 60,
};
