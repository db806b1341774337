import { globSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { resident } from "./resident.ts";
import { isRule, roomOf, testsOf } from "./scopes.ts";

// Selects the tests that specify the mutated folder. Every test compiles pages, and every law checks each of them.
// Without this selection, each mutant of a law would run hundreds of tests about other laws.

const scopes = (process.env["SCOPE"] ?? "compiler/rules").split(",");
const room = roomOf(scopes[0] ?? "");
/**
 * Rooms whose property tests need thousands of runs each. For these rooms, only tests with fixed examples run, so fewer
 * mutants are detected.
 */
const FACTS_ALONE = ["engine/processes/gate", "engine/lib/policy"];

/** Rooms whose property tests set their own number of runs, which is too high for hundreds of mutants. */
const MANY_RUNS = ["lang/grammar", "lang/format"];

const laws = scopes.filter(isRule);

/** Returns the names of a law's tests, which contain the name of its folder or one of its codes. */
function listTestNames(folder: string): string[] {
  const codes = globSync(`${folder}/codes.ts`).flatMap((file) => [
    ...readFileSync(file, "utf8").matchAll(/"([a-z]+(?:-[a-z]+)+)"/g),
  ]);
  return [folder.split("/").at(-1) ?? "", ...codes.map(([, code = ""]) => code)];
}

export default defineConfig({
  plugins: [
    {
      name: "few-runs",
      // This plugin must see the original text, because later plugins write numbers in another form.
      enforce: "pre",
      transform: (code, file) =>
        MANY_RUNS.includes(room) && file.endsWith(".test.ts")
          ? code.replaceAll(/\bnumRuns: \d+/g, "numRuns: 20")
          : undefined,
    },
    {
      name: "resident",
      // Stryker selects the pool after it has read this file, so this hook replaces the pool afterwards.
      configureVitest({ project }) {
        project.config.pool = resident.name;
        project.config.poolRunner = resident;
      },
    },
  ],
  test: {
    include: [...testsOf(scopes)],
    // Tests that start other processes are skipped, because a mutant is activated only in this process. Tests of time
    // and size are skipped too, because they take seconds each.
    exclude: [
      "**/node_modules/**",
      ...["*properties.test.ts", "machine.model.test.ts", "bombs.test.ts", "grammar/hostile.test.ts"].map(
        (name) => `**/${name}`,
      ),
    ],
    setupFiles: ["compiler/dev/stryker/few-runs.ts"],
    ...(FACTS_ALONE.includes(room) ? { testNamePattern: /^(?!law: )/ } : {}),
    ...(laws.length > 0 ? { testNamePattern: new RegExp(laws.flatMap(listTestNames).join("|")) } : {}),
    testTimeout: 60_000,
    isolate: false,
    update: "none",
  },
});
