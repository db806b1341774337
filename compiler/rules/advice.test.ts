import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { isError } from "../../lang/diagnostics/index.ts";
import { type Example, examplesIn, findingsOf, foldersIn, saysWhatIsWritten } from "../dev/fixtures/examples.ts";
import { ADVICE } from "./advice.ts";

const RULES = new URL("./advice/", import.meta.url);

const folders = foldersIn(RULES);
const good = examplesIn(RULES, "good").map(named);
const bad = examplesIn(RULES, "bad").map(named);

function named(example: Example) {
  return [`${example.folder}/${example.name}`, example] as const;
}

function codesOf(folder: string): string[] {
  return [...new Set(ADVICE[folder]?.reports.map(({ code }) => code))];
}

test("each advice rule has a folder with its texts and examples", () => {
  expect(folders).toEqual(Object.keys(ADVICE).sort());
  for (const folder of folders) {
    const files = readdirSync(new URL(`${folder}/`, RULES));
    expect(files).toEqual(expect.arrayContaining(["README.md", "bad.cap", "codes.ts", "good.cap", "rule.ts"]));
  }
});

test.each(good)("%s gets no advice from its own rule", async (_, example) => {
  const found = await findingsOf(example);
  expect(found.filter((finding) => isError(finding) || codesOf(example.folder).includes(finding.code))).toEqual([]);
});

test("stray-doc/good.cap gets no advice at all, because tests of `capc lint` expect none", async () => {
  const examples = examplesIn(RULES, "good").filter(({ folder }) => folder === "stray-doc");
  expect(examples).toHaveLength(1);
  const found = (await Promise.all(examples.map((example) => findingsOf(example)))).flat();
  expect(found.map(({ code, message }) => `${code}: ${message}`)).toEqual([]);
});

test.each(bad)(
  "%s gets the advice of its folder, with the text in the file beside it, and no error",
  async (_, example) => {
    expect((await findingsOf(example)).filter(isError)).toEqual([]);
    const found = await findingsOf(example, codesOf(example.folder));
    expect(found.length).toBeGreaterThan(0);
    await saysWhatIsWritten(example, found);
  },
);

test.each(folders)("the bad examples of %s show every code that the rule reports", async (folder) => {
  const examples = examplesIn(RULES, "bad").filter((example) => example.folder === folder);
  const shown = (await Promise.all(examples.map((example) => findingsOf(example)))).flat().map(({ code }) => code);
  expect(codesOf(folder).filter((code) => !shown.includes(code))).toEqual([]);
});
