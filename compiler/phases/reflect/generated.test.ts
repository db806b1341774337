import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { generateFolder, generateStandard, readCheckedIn, SCHEMA_FOLDERS, STANDARD_MODULE } from "./generated.ts";

test.each(SCHEMA_FOLDERS)(
  "the files at $generated.pathname are current; if they are not, run `npm run generate`",
  async (folder) => {
    const files = await generateFolder(folder);
    if (!files.ok) throw new Error(files.reason);
    const found = readCheckedIn(folder);
    expect([...found.keys()]).toEqual([...files.value.keys()].sort());
    for (const [name, bytes] of files.value) {
      expect(Buffer.from(found.get(name) ?? []).equals(bytes), `${name} is not current`).toBe(true);
    }
  },
);

test("generating code from the same schemas twice gives the same bytes", async () => {
  for (const folder of SCHEMA_FOLDERS) expect(await generateFolder(folder)).toEqual(await generateFolder(folder));
});

test("the committed standard interfaces are current; if they are not, run `npm run generate`", () => {
  expect(readFileSync(STANDARD_MODULE, "utf8")).toBe(generateStandard());
});
