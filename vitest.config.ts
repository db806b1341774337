import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{lang,stdlib,compiler,targets,engine,examples,golden}/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/target/**", "build/**"],
    // Files of tests share nothing; two at a time are what the smallest CI machine has processors for. Processes and not
    // threads: where one thread has a program open for writing and another one forks, nobody can start that program.
    pool: "forks",
    maxWorkers: 2,
    // Ends what hangs, and judges nothing: shared machines may be ten times slower than idle ones.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    // Random laws begin at one seed: what fails, fails again.
    setupFiles: ["lang/testing/seed.ts"],
    // A golden that is not there is a failure, never a new golden.
    update: "none",
  },
});
