// Mutation testing of some folders of the rooms that decide what a page means. main.ts says which at a time.

const { SCOPE: scope = "compiler/check", REPORT: report = "build/mutation/report.json" } = process.env;

/** @type {import("@stryker-mutator/api/core").PartialStrykerOptions} */
export default {
  testRunner: "vitest",
  plugins: ["@stryker-mutator/vitest-runner"],
  vitest: { configFile: "compiler/mutation/vitest.config.ts", related: false },
  coverageAnalysis: "perTest",
  // Laws are folders of their own. What codes.ts has is words: they are compared as a whole by the examples' bad.txt.
  mutate: [...scope.split(",").map((folder) => `${folder}/*.ts`), "!**/*.test.ts", "!**/index.ts", "!**/codes.ts"],
  // What runs when a module is loaded is a table, and changing it costs a run of every test.
  ignoreStatic: true,
  ignorePatterns: ["build", "target", "golden", "examples", "engine/prebuilt", "engine/init", ".capos", "docs"],
  // TypeScript 7 has no interface for programs, which Stryker would rewrite tsconfig.json with; nothing here needs it.
  tsconfigFile: "none.json",
  concurrency: 1,
  tempDirName: "build/mutation/sandboxes",
  reporters: ["json"],
  jsonReporter: { fileName: report },
  timeoutMS: 20_000,
};
