// Mutation testing of the rooms that decide what a page means. One folder at a time: `make mutation SCOPE=compiler/policy`.

const scope = process.env.SCOPE ?? "compiler/check";

/** @type {import("@stryker-mutator/api/core").PartialStrykerOptions} */
export default {
  testRunner: "vitest",
  plugins: ["@stryker-mutator/vitest-runner"],
  vitest: { configFile: "compiler/mutation/vitest.config.ts", related: false },
  coverageAnalysis: "perTest",
  mutate: [`${scope}/**/*.ts`, "!**/*.test.ts", "!**/index.ts"],
  // What runs when a module is loaded is a table or a message's words. Mutating it costs a run of every test each, and
  // what it says is compared as a whole by the examples' bad.txt.
  ignoreStatic: true,
  ignorePatterns: ["build", "target", "golden", "examples", "engine/prebuilt", "engine/init", ".capos", "docs"],
  // TypeScript 7 has no interface for programs, which Stryker would rewrite tsconfig.json with; nothing here needs it.
  tsconfigFile: "none.json",
  concurrency: 1,
  tempDirName: "build/mutation",
  reporters: ["clear-text", "json"],
  jsonReporter: { fileName: "build/mutation.json" },
  clearTextReporter: { allowColor: false, allowEmojis: false, reportTests: false, logTests: false },
  thresholds: { high: 90, low: 85, break: 85 },
  timeoutMS: 20_000,
};
