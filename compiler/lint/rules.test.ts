import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import type { Diagnostic } from "../../lang/diagnostics/index.ts";
import { compile } from "../compile.ts";
import { diskHost } from "../source/index.ts";
import { testSurroundings } from "../testing/surroundings.ts";
import { ADVICE } from "./rules.ts";

const RULES = new URL("./rules/", import.meta.url);
const folders = readdirSync(RULES).sort();

async function found(folder: string, file: string): Promise<readonly Diagnostic[]> {
  const path = new URL(`${folder}/${file}`, RULES).pathname;
  return (await compile(diskHost("2026-01-01"), path, testSurroundings)).diagnostics;
}

test("every folder is advice, and all advice a folder with words and examples", () => {
  expect(folders).toEqual(Object.keys(ADVICE).sort());
  for (const folder of folders) {
    const files = readdirSync(new URL(`${folder}/`, RULES));
    expect(files).toEqual(expect.arrayContaining(["README.md", "bad.cap", "codes.ts", "good.cap", "rule.ts"]));
  }
});

test.each(folders)("%s/good.cap gets no such advice", async (folder) => {
  const codes = ADVICE[folder]?.reports.map(({ code }) => code) ?? [];
  expect((await found(folder, "good.cap")).filter(({ code }) => codes.includes(code))).toEqual([]);
});

test.each(folders)("%s/bad.cap gets it, and no error", async (folder) => {
  const diagnostics = await found(folder, "bad.cap");
  const codes = ADVICE[folder]?.reports.map(({ code }) => code) ?? [];
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(new Set(diagnostics.map(({ code }) => code)).isSupersetOf(new Set(codes))).toBe(true);
});
