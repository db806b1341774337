// Tests that every example has a README and a formatted page, and that the tests of its page pass.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { dispatch } from "../../cli/dispatch.ts";
import { createMemoryWorld, runCommand } from "../../cli/memory-world.ts";
import { compile } from "../../compile.ts";
import { runTests } from "../../queries/page-tests/index.ts";
import { createExampleHost, getGoldenFolder, listExampleNames } from "./golden.ts";

const fileOf = (example: string, name: string) =>
  fileURLToPath(new URL(`../../../examples/${example}/${name}`, import.meta.url));

test.each(listExampleNames())("%s has a README and a formatted page", async (example) => {
  expect(existsSync(fileOf(example, "README.md"))).toBe(true);
  const world = createMemoryWorld();
  expect(await dispatch(["fmt", "--check", fileOf(example, "system.cap")], world)).toBe(0);
});

/**
 * Minimum percentage of detected mutants. The other mutants change backends that no test uses, or quotas that are too
 * large to use up in a test.
 */
const LEAST_NOTICED = 55;

test.each(listExampleNames())("the tests of %s detect most mutants of its policy", async (example) => {
  const accepted = join(getGoldenFolder(example), "decisions.tsv");
  const { status, out } = await runCommand([
    "test",
    fileOf(example, "system.cap"),
    "--golden",
    accepted,
    "--mutate",
    "--min",
    `${LEAST_NOTICED}`,
  ]);
  expect({ status, survivors: out.split("\n").filter((line) => line.startsWith("SURVIVED")) }).toMatchObject({
    status: 0,
  });
});

test.each(listExampleNames())("the tests of %s pass", async (example) => {
  const compiled = await compile(createExampleHost(), fileOf(example, "system.cap"), { purpose: "check" });
  const { policy, origins, model } = compiled;
  if (policy === undefined || origins === undefined || model === undefined) throw new Error("it does not compile");
  const failed = runTests(policy, origins, model).results.filter(({ failures }) => failures.length > 0);
  expect(failed.map(({ test: { title } }) => title)).toEqual([]);
});
