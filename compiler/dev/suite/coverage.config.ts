import { defineConfig } from "vitest/config";
import { BOOTING_TESTS, JAILED_TESTS } from "./unit-tests.ts";

// The tests of the counted parts, with a count of the lines they run: `make coverage`.

/** One part alone, with its tests alone, where it is asked for. */
const PART = process.env["PART"] || "{lang,compiler,engine}";

/** Not counted, each for its reason. Whatever else lies in these parts is, whether a test loads it or not. */
const NOT_COUNTED = [
  // Tests, and what only tests import.
  "**/*.test.ts",
  "{lang,compiler,engine}/**/testing/**",
  "engine/**/*.fixture.ts",
  // Written by the house's generators, and compared with what they write today by tests of their own.
  "**/generated/**",
  // Configurations of test runners.
  "**/*.config.{ts,mjs}",
  // Measure and print, for minutes and hours; nothing of capc hangs on them.
  "compiler/dev/{bench,stryker}/**",
  // Runs before there are packages. Its tests run copies of it, in checkouts of their own, where nothing is counted.
  "compiler/dev/setup/**",
  // Run in a browser, by tests that play them there.
  "compiler/editors/playground/{page/**,worker.ts,buffer.ts}",
  // They start machines, and processes in jails, which the run that counts does not.
  "compiler/dev/suite/{images,jailed,limine}/**",
  "compiler/dev/suite/hostile/{image,stage}.ts",
  "compiler/dev/suite/{memory,speaking}.ts",
  // The run that counts.
  "compiler/dev/suite/{main,coverage}.ts",
];

export default defineConfig({
  test: {
    include: [`${PART}/**/*.test.ts`, ...(PART.includes("compiler") ? ["stdlib/**/*.test.ts"] : [])],
    // These judge CPU time, and counting takes some; or they boot a machine, or run a process in its jail, where nothing is counted.
    exclude: ["**/node_modules/**", "**/*hostile.test.ts", "**/bombs.test.ts", ...BOOTING_TESTS, ...JAILED_TESTS],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 240_000 } },
    setupFiles: ["lang/testing/seed.ts"],
    update: "none",
    // V8 does not count what ran of functions that come from a compile cache.
    env: { NODE_DISABLE_COMPILE_CACHE: "1", PART: "" },
    coverage: {
      enabled: true,
      provider: "v8",
      include: [`${PART}/**/*.{ts,mjs}`],
      exclude: NOT_COUNTED,
      // The command line started as a program, and threads: what runs there is counted as well.
      autoAttachSubprocess: true,
      reportOnFailure: true,
      reporter: [["json-summary"], ["lcovonly"], ["text", { file: "lines.txt", skipFull: true }]],
      reportsDirectory: "build/coverage",
    },
  },
});
