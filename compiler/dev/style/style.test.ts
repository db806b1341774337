import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readDocComments } from "./comments.ts";
import { countStyle, RULES } from "./count.ts";
import { findLongSentences, findOddNegations, hasOddSubject, isHeadless } from "./rules.ts";

const MOST: Readonly<Record<string, number>> = JSON.parse(readFileSync(new URL("most.json", import.meta.url), "utf8"));
const FOUND = await countStyle(fileURLToPath(new URL("../../..", import.meta.url)));

test.each(RULES)("the number of places that break the rule %s does not grow", (rule) => {
  const hint = `${FOUND[rule].length} places; node compiler/dev/style/main.ts lists them`;
  expect(FOUND[rule].length, hint).toBeLessThanOrEqual(MOST[rule] ?? 0);
});

test("finds doc comments in TypeScript and Rust, each with its first line", () => {
  const typescript = "/** One. */\nconst a = 1; /** not one */\n\n  /**\n   * Two\n   * lines.\n   */\n";
  expect(readDocComments("a.ts", typescript)).toEqual([
    { line: 1, text: "One." },
    { line: 4, text: "Two lines." },
  ]);
  const rust = "//! The file.\n\n/// One,\n/// two.\nfn a() {} // no\n//// no\n";
  expect(readDocComments("a.rs", rust)).toEqual([
    { line: 1, text: "The file." },
    { line: 3, text: "One, two." },
  ]);
});

test.each([
  ["Of a block.", true],
  ["Nothing where it may.", true],
  ["The same of an answer.", true],
  ["Returns the block, or `undefined`.", false],
  ["Offset in bytes.", false],
  ["Whether it runs.", false],
])("the comment %s begins without its subject: %s", (text, expected) => {
  expect(isHeadless(text)).toBe(expected);
});

test("`is no` is found before a noun", () => {
  expect(findOddNegations("It is no block, is no longer read, are no more. There is no file.")).toEqual([
    "is no block, is no longer read, are no m".slice(0, 40),
  ]);
});

test("finds a sentence of more than thirty words, and does not count code and tables", () => {
  const words = (count: number) => Array.from({ length: count }, () => "word").join(" ");
  expect(findLongSentences(`${words(30)}. ${words(31)}.`)).toEqual([`${words(31)}.`]);
  expect(findLongSentences(`# ${words(40)}\n\n| ${words(40)} |\n\n\`\`\`\n${words(40)}\n\`\`\`\n`)).toEqual([]);
  expect(findLongSentences(`${words(20)}\n\n- ${words(20)}\n- \`${words(20)}\` ${words(20)}`)).toEqual([]);
});

test.each([
  ["nothing is written", true],
  ["What an image holds", true],
  ["show the contents of an image", false],
])("the help text or message %s begins without a plain subject: %s", (text, expected) => {
  expect(hasOddSubject(text)).toBe(expected);
});
