import fc from "fast-check";
import { expect, test } from "vitest";
import { renderCell, renderCode, renderCodeCell, renderFence, renderParagraphs, renderTable } from "./markdown.ts";

test.each([
  ["# heading", "\\# heading"],
  ["- item", "\\- item"],
  ["1. first", "\\1. first"],
  ["=== under", "\\=== under"],
  ["<b>*bold*</b>", "\\<b\\>\\*bold\\*\\</b\\>"],
  ["a [link](x)", "a \\[link\\](x)"],
])("the words %s stay words", (words, written) => {
  expect(renderParagraphs(words)).toEqual([written]);
});

test("paragraphs stay apart, and lines of one become one", () => {
  expect(renderParagraphs("one\n two\n\n\nthree\n")).toEqual(["one two", "three"]);
});

test.each([
  ["a", "`a`"],
  ["a`b", "``a`b``"],
  ["`a", "`` `a ``"],
])("the code %s is fenced", (text, written) => {
  expect(renderCode(text)).toBe(written);
});

test("in a cell a bar behind a backslash, which code cannot hold, is text", () => {
  expect(renderCodeCell("a|b")).toBe("`a\\|b`");
  expect(renderCodeCell("a\\|b")).toBe("a\\\\\\|b");
});

test("a block of code holds its own fences", () => {
  expect(renderFence("```\nx\n```", "cap")).toBe("````cap\n```\nx\n```\n````");
});

test("whatever stands in a cell, a row has as many cells as its head", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (left, right) => {
      const [text = ""] = renderTable(["one", "two"], [[renderCell(left), renderCodeCell(right)]]);
      const lines = text.split("\n");
      expect(lines).toHaveLength(3);
      // A bar after an odd number of backslashes is not a border.
      const borders = [...(lines[2] ?? "").matchAll(/(\\*)\|/g)].filter(([, slashes = ""]) => slashes.length % 2 === 0);
      expect(borders).toHaveLength(3);
    }),
  );
});
