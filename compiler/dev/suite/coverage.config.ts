import { defineConfig } from "vitest/config";
import { BOOTING_TESTS, JAILED_TESTS } from "./unit-tests.ts";

// Configures `make coverage`, which runs the tests of the counted parts and counts the lines that they run.

/** If `PART` names one part, only the tests of that part run. */
const PART = process.env["PART"] || "{lang,compiler,engine}";

/**
 * Files that are not counted, each with its reason. All other files in these parts count, whether a test loads them or
 * not.
 */
const NOT_COUNTED = [
  // Tests, and files that only tests import.
  "**/*.test.ts",
  "{lang,compiler,engine}/**/testing/**",
  "engine/**/*.fixture.ts",
  // The project's generators write these files, and tests compare them with the present output.
  "**/generated/**",
  // These files configure test runners.
  "**/*.config.{ts,mjs}",
  // These programs measure and print for minutes or hours; no part of capc depends on them.
  "compiler/dev/{bench,stryker}/**",
  // These programs run before packages are installed. Their tests run copies of them in separate checkouts, where no
  // lines are counted.
  "compiler/dev/setup/**",
  // These files run in a browser during tests.
  "compiler/editors/playground/{page/**,worker.ts,buffer.ts}",
  // These files start machines or processes in jails, which the counting run does not do.
  "compiler/dev/suite/{images,jailed,limine}/**",
  "compiler/dev/suite/hostile/{image,stage}.ts",
  "compiler/dev/suite/{memory,speaking}.ts",
  // These files implement the counting run itself.
  "compiler/dev/suite/{main,coverage}.ts",
];

export default defineConfig({
  test: {
    include: [`${PART}/**/*.test.ts`, ...(PART.includes("compiler") ? ["stdlib/**/*.test.ts"] : [])],
    // These tests check CPU time, which counting would distort. Other tests boot a machine or run a process in its
    // jail, where lines are not counted.
    exclude: ["**/node_modules/**", "**/*hostile.test.ts", "**/bombs.test.ts", ...BOOTING_TESTS, ...JAILED_TESTS],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 240_000 } },
    setupFiles: ["lang/testing/seed.ts"],
    update: "none",
    // V8 does not count the lines of functions from a compile cache.
    env: { NODE_DISABLE_COMPILE_CACHE: "1", PART: "" },
    coverage: {
      enabled: true,
      provider: "v8",
      include: [`${PART}/**/*.{ts,mjs}`],
      exclude: NOT_COUNTED,
      // With this option, lines in threads and in processes started by tests are counted too.
      autoAttachSubprocess: true,
      reportOnFailure: true,
      reporter: [["json-summary"], ["lcovonly"], ["text", { file: "lines.txt", skipFull: true }]],
      reportsDirectory: "build/coverage",
    },
  },
});
