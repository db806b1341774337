import { defineConfig } from "vitest/config";
import { BOOTING_TESTS, HOST_TEST, JAILED_TESTS } from "./unit-tests.ts";

// Runs the tests of the counted parts, and counts the lines that they run: `make coverage`.

/** Parts of the repository whose tests run: the part that the variable `PART` names, or all parts. */
const PART = process.env["PART"] || "{lang,compiler,engine}";

/** Files that are not counted, with reasons. All other files in the counted parts count, even if no test loads them. */
const NOT_COUNTED = [
  // Tests, and files that only tests import, are not counted.
  "**/*.test.ts",
  "{lang,compiler,engine}/**/testing/**",
  "engine/**/*.fixture.ts",
  // The project's generators write these files, and tests compare them with the current output.
  "**/generated/**",
  // Configurations of test runners.
  "**/*.config.{ts,mjs}",
  // These programs measure and print for minutes or hours; no part of capc depends on them.
  "compiler/dev/{bench,stryker}/**",
  // These files run before packages are installed. Their tests run copies in separate checkouts, where no lines are
  // counted.
  "compiler/dev/setup/**",
  // These files run in a browser, in tests that start one.
  "compiler/editors/playground/{page/**,worker.ts,buffer.ts}",
  // These files start machines or processes in jails, which the counting run does not start.
  "compiler/dev/suite/{images,jailed,limine}/**",
  "compiler/dev/suite/hostile/{image,stage}.ts",
  "compiler/dev/suite/{memory,speaking}.ts",
  // These files implement the counting run itself.
  "compiler/dev/suite/{main,coverage}.ts",
];

export default defineConfig({
  test: {
    include: [`${PART}/**/*.test.ts`, ...(PART.includes("compiler") ? ["stdlib/**/*.test.ts"] : [])],
    // These tests are left out. Some check CPU time, which counting would distort. Others boot a machine or run a
    // process in its jail, where no lines are counted.
    exclude: [
      "**/node_modules/**",
      "**/*hostile.test.ts",
      "**/bombs.test.ts",
      ...BOOTING_TESTS,
      ...JAILED_TESTS,
      HOST_TEST,
    ],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 240_000 } },
    setupFiles: ["lang/testing/seed.ts"],
    update: "none",
    // V8 does not count the lines of functions that come from a compile cache, so the cache is off.
    env: { NODE_DISABLE_COMPILE_CACHE: "1", PART: "" },
    coverage: {
      enabled: true,
      provider: "v8",
      include: [`${PART}/**/*.{ts,mjs}`],
      exclude: NOT_COUNTED,
      // This option also counts lines that run in threads, and in the command line if a test starts it as a program.
      autoAttachSubprocess: true,
      reportOnFailure: true,
      reporter: [["json-summary"], ["lcovonly"], ["text", { file: "lines.txt", skipFull: true }]],
      reportsDirectory: "build/coverage",
    },
  },
});
