import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { compile } from "../../compile.ts";
import { createExampleHost, listExampleNames } from "../../dev/golden/golden.ts";

test.each(listExampleNames())("all assertions of %s, its own and the inherited ones, are proved", async (example) => {
  const page = fileURLToPath(new URL(`../../../examples/${example}/system.cap`, import.meta.url));
  const { proofs } = await compile(createExampleHost(), page);
  const open = proofs?.results.filter(({ verdict }) => verdict.kind !== "proved");
  expect(open?.map(({ words }) => words)).toEqual([]);
  expect(proofs?.results.length).toBeGreaterThanOrEqual(4);
});
