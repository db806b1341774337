import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { isError } from "../../lang/diagnostics/index.ts";
import { compile } from "../compile.ts";
import { diskHost } from "../source/index.ts";
import { testSurroundings } from "../testing/surroundings.ts";
import { LAWS } from "./rules.ts";

const RULES = new URL("./rules/", import.meta.url);

const folders = readdirSync(RULES).sort();
const pages = folders.flatMap((folder) =>
  readdirSync(new URL(`${folder}/`, RULES))
    .filter((file) => file.endsWith(".cap"))
    .map((file) => [folder, file] as const),
);

async function errorsOf(folder: string, file: string): Promise<string[]> {
  const path = new URL(`${folder}/${file}`, RULES).pathname;
  const { diagnostics } = await compile(diskHost("2026-01-01"), path, testSurroundings);
  return diagnostics.filter(isError).map(({ code, message }) => `${code}: ${message}`);
}

function codesOf(folder: string): string[] {
  return [...new Set(LAWS[folder]?.reports.map(({ code }) => code))];
}

test("every folder is a law, and every law a folder", () => {
  expect(folders).toEqual(Object.keys(LAWS).sort());
});

test.each(folders)("%s has a page of words, a good and a bad example", (folder) => {
  const files = readdirSync(new URL(`${folder}/`, RULES));
  expect(files).toEqual(expect.arrayContaining(["README.md", "bad.cap", "codes.ts", "good.cap", "rule.ts"]));
});

test.each(pages.filter(([, file]) => file.startsWith("good")))("%s/%s is accepted", async (folder, file) => {
  expect(await errorsOf(folder, file)).toEqual([]);
});

test.each(pages.filter(([, file]) => file.startsWith("bad")))("%s/%s breaks that law alone", async (folder, file) => {
  const codes = new Set((await errorsOf(folder, file)).map((error) => error.split(":")[0]));
  expect(codes.size).toBeGreaterThan(0);
  expect(codesOf(folder)).toEqual(expect.arrayContaining([...codes]));
});

test.each(folders)("the bad examples of %s show every code that it reports", async (folder) => {
  const bad = pages.filter(([of, file]) => of === folder && file.startsWith("bad"));
  const errors = await Promise.all(bad.map(([, file]) => errorsOf(folder, file)));
  const shown = new Set(errors.flat().map((error) => error.split(":")[0]));
  expect(codesOf(folder).filter((code) => !shown.has(code))).toEqual([]);
});
