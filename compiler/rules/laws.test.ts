import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { isError } from "../../lang/diagnostics/index.ts";
import { type Example, examplesIn, findingsOf, foldersIn, saysWhatIsWritten } from "../dev/fixtures/examples.ts";
import { LAWS } from "./laws.ts";

const RULES = new URL("./laws/", import.meta.url);

const folders = foldersIn(RULES);
const good = examplesIn(RULES, "good").map(named);
const bad = examplesIn(RULES, "bad").map(named);

function named(example: Example) {
  return [`${example.folder}/${example.name}`, example] as const;
}

async function errorsOf(example: Example): Promise<string[]> {
  return (await findingsOf(example)).filter(isError).map(({ code }) => code);
}

function codesOf(folder: string): string[] {
  return [...new Set(LAWS[folder]?.reports.map(({ code }) => code))];
}

test("each law has a folder, and each folder has a law", () => {
  expect(folders).toEqual(Object.keys(LAWS).sort());
});

test.each(folders)("%s has a README, a good and a bad example", (folder) => {
  const files = readdirSync(new URL(`${folder}/`, RULES));
  expect(files).toEqual(expect.arrayContaining(["README.md", "bad.cap", "codes.ts", "good.cap", "rule.ts"]));
});

test.each(good)("%s is accepted", async (_, example) => {
  expect(await errorsOf(example)).toEqual([]);
});

test.each(bad)(
  "%s breaks only the law of its folder, and the findings have the text in the file beside it",
  async (_, example) => {
    const codes = new Set(await errorsOf(example));
    expect(codes.size).toBeGreaterThan(0);
    expect(codesOf(example.folder)).toEqual(expect.arrayContaining([...codes]));
    await saysWhatIsWritten(example, await findingsOf(example, codesOf(example.folder)));
  },
);

test.each(folders)("the bad examples of %s show every code that the law reports", async (folder) => {
  const examples = examplesIn(RULES, "bad").filter((example) => example.folder === folder);
  const shown = new Set((await Promise.all(examples.map(errorsOf))).flat());
  expect(codesOf(folder).filter((code) => !shown.has(code))).toEqual([]);
});
