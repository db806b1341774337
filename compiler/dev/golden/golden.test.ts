import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createGoldenDifference, DIFFERENCE } from "./difference.ts";
import { createGolden, getGoldenFolder, listExampleNames } from "./golden.ts";

test("each example has a golden, and each golden has an example", () => {
  const folders = readdirSync(new URL("../../../golden", import.meta.url), { withFileTypes: true });
  expect(listExampleNames()).toContain("first-agent");
  expect(folders.filter((entry) => entry.isDirectory()).map(({ name }) => name)).toEqual(
    [DIFFERENCE, ...listExampleNames()].sort(),
  );
});

for (const example of listExampleNames()) {
  test(`${example} compiles to its accepted golden (npm run golden -- ${example})`, async () => {
    const golden = await createGolden(example);
    const folder = getGoldenFolder(example);
    expect(existsSync(folder) ? readdirSync(folder).sort() : []).toEqual([...golden.keys()].sort());
    for (const [name, text] of golden) expect(readFileSync(join(folder, name), "utf8"), name).toBe(text);
  });
}

test(`capc diff prints its accepted golden (npm run golden -- ${DIFFERENCE})`, async () => {
  const golden = await createGoldenDifference();
  const folder = getGoldenFolder(DIFFERENCE);
  expect(readdirSync(folder).sort()).toEqual([...golden.keys()].sort());
  for (const [name, text] of golden) expect(readFileSync(join(folder, name), "utf8"), name).toBe(text);
});
