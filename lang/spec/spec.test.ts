import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { formatFile } from "../format/index.ts";
import { CONTEXTUAL, parse, RESERVED } from "../grammar/index.ts";
import { OUTER } from "../grammar/rules/levels.ts";
import { createSourceText } from "../text/index.ts";
import { fencesOf, framed } from "./fences.ts";

const FOLDER = new URL(".", import.meta.url);
const OTHERS = ["README.md", "rulings.md", "words.md"];
const PAGES = readdirSync(FOLDER).filter((name) => name.endsWith(".md") && !OTHERS.includes(name));

function pageOf(name: string): string {
  return readFileSync(new URL(name, FOLDER), "utf8");
}

test.each(PAGES)("every example of %s is parsed without a syntax error", async (name) => {
  const fences = fencesOf(pageOf(name));
  expect(fences.length).toBeGreaterThan(0);
  for (const { marks, text } of fences) {
    if (marks[0] === "wrong") continue;
    const { diagnostics } = await parse(createSourceText(name, text));
    expect(diagnostics.map(({ message }) => message)).toEqual([]);
  }
});

test.each(PAGES)("every example of %s has the form of `capc fmt`", async (name) => {
  for (const { marks, text } of fencesOf(pageOf(name))) {
    const outcome = await formatFile(createSourceText(name, text));
    // A text with invalid characters cannot be formatted, because it is not a page.
    if (marks[0] === "wrong" && !outcome.ok) continue;
    expect(outcome).toMatchObject({ value: text });
  }
});

test.each(PAGES)("%s has a title, a section of errors, and lines of at most 130 characters", (name) => {
  const page = pageOf(name);
  expect(page).toMatch(/^# [^\n]+\n\n/);
  expect(page).toContain("**Errors.**");
  expect(page.split("\n").filter((line) => line.length > 130)).toEqual([]);
});

test("every word of the language occurs on a page of the specification", () => {
  const said = PAGES.map(pageOf).join("\n");
  // Words in blocks of JSON and of the shell are not counted, because they are not words of the language.
  const own = said.replaceAll(/^```(?:json|sh)[\s\S]*?^```$/gm, "");
  const code = [...own.matchAll(/`[^`]+`|^```cap[\s\S]*?^```$/gm)].map(([text]) => text).join("\n");
  const words = new Set(code.match(/[A-Za-z]+/g));
  expect(
    [...RESERVED, ...CONTEXTUAL].filter((word) => !words.has(word)),
    "words on no page of lang/spec",
  ).toEqual([]);
});

test("every item of the language has a page with its keyword in the title", () => {
  const titles = PAGES.map((name) => pageOf(name).split("\n", 1)[0] ?? "").join("\n");
  const items = ["system", ...OUTER.attribute];
  expect(items.filter((word) => !titles.includes(`\`${word}\``))).toEqual([]);
});

test("`frame.cap`, the page into which examples of the specification are inserted, has exactly one place for them", () => {
  const frame = readFileSync(new URL("frame.cap", FOLDER), "utf8");
  expect(framed(frame, "$& category a : b")).toContain("$& category a : b");
  expect(framed(framed(frame, ""), "twice")).not.toContain("twice");
});
