import { globSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { resident } from "./resident.ts";
import { isRule, roomOf, testsOf } from "./scopes.ts";

// The tests that say what the mutated folder does. Every page of every test is looked at by every law, so that without
// this choice each mutant of a law would be held against hundreds of tests that are about others.

const scopes = (process.env["SCOPE"] ?? "compiler/rules").split(",");
const room = roomOf(scopes[0] ?? "");
/** Rooms whose laws are tried thousands of times each and must be: their facts alone have to notice, which is the harder thing. */
const FACTS_ALONE = ["engine/processes/gate", "engine/lib/policy"];

/** Rooms whose laws say how often they are tried, which is too often for each of some hundred changes. */
const MANY_RUNS = ["lang/grammar", "lang/format"];

const laws = scopes.filter(isRule);

/** A law's tests are named by its folder or by a code of it. */
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
      // As it is written: what comes later writes numbers in its own way.
      enforce: "pre",
      transform: (code, file) =>
        MANY_RUNS.includes(room) && file.endsWith(".test.ts")
          ? code.replaceAll(/\bnumRuns: \d+/g, "numRuns: 20")
          : undefined,
    },
    {
      name: "resident",
      // Stryker says which pool, after this file is read.
      configureVitest({ project }) {
        project.config.pool = resident.name;
        project.config.poolRunner = resident;
      },
    },
  ],
  test: {
    include: [...testsOf(scopes)],
    // Code in separate processes never sees a mutant that is activated here. Tests of time and size take seconds each.
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
