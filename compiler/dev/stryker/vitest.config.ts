import { globSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { resident } from "./resident.ts";
import { isRule, roomOf, testsOf } from "./scopes.ts";

// Selects the tests that specify the mutated folder. Every law checks every page of every test. Without this selection, each mutant of a
// law would run hundreds of tests about other laws.

const scopes = (process.env["SCOPE"] ?? "compiler/rules").split(",");
const room = roomOf(scopes[0] ?? "");
/**
 * Rooms whose property tests need thousands of runs each. These tests do not run, so the other tests alone must detect
 * mutants, which is harder.
 */
const FACTS_ALONE = ["engine/processes/gate", "engine/lib/policy"];

/** Rooms whose property tests set their own number of runs, which is too high for hundreds of mutants. */
const MANY_RUNS = ["lang/grammar", "lang/format"];

const laws = scopes.filter(isRule);

/** Returns the words that names of a law's tests contain: the name of its folder, and its codes. */
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
      // Replaces `numRuns: …` before the other plugins transform the text, because they change the form of numbers.
      enforce: "pre",
      transform: (code, file) =>
        MANY_RUNS.includes(room) && file.endsWith(".test.ts")
          ? code.replaceAll(/\bnumRuns: \d+/g, "numRuns: 20")
          : undefined,
    },
    {
      name: "resident",
      // Stryker selects its own pool after this file is read, so this hook replaces that pool with the resident pool.
      configureVitest({ project }) {
        project.config.pool = resident.name;
        project.config.poolRunner = resident;
      },
    },
  ],
  test: {
    include: [...testsOf(scopes)],
    // A mutant is active only in this process, so tests that run code in separate processes cannot detect it. Tests of
    // time and size are left out, too, because they take seconds each.
    exclude: [
      "**/node_modules/**",
      ...["*properties.test.ts", "machine.model.test.ts", "bombs.test.ts", "grammar/hostile.test.ts"].map(
        (name) => `**/${name}`,
      ),
    ],
    setupFiles: ["compiler/dev/stryker/few-runs.ts"],
    ...(FACTS_ALONE.includes(room) ? { testNamePattern: /^(?!property: )/ } : {}),
    ...(laws.length > 0 ? { testNamePattern: new RegExp(laws.flatMap(listTestNames).join("|")) } : {}),
    testTimeout: 60_000,
    isolate: false,
    update: "none",
  },
});
