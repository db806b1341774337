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
])("the text %s is escaped", (words, written) => {
  expect(renderParagraphs(words)).toEqual([written]);
});

test("paragraphs stay separate, and the lines of one are joined", () => {
  expect(renderParagraphs("one\n two\n\n\nthree\n")).toEqual(["one two", "three"]);
});

test.each([
  ["a", "`a`"],
  ["a`b", "``a`b``"],
  ["`a", "`` `a ``"],
])("the code %s is fenced", (text, written) => {
  expect(renderCode(text)).toBe(written);
});

test("a bar after a backslash in a cell is text, which code cannot express", () => {
  expect(renderCodeCell("a|b")).toBe("`a\\|b`");
  expect(renderCodeCell("a\\|b")).toBe("a\\\\\\|b");
});

test("a code block has a longer fence than its text", () => {
  expect(renderFence("```\nx\n```", "cap")).toBe("````cap\n```\nx\n```\n````");
});

test("a row has as many cells as its head, whatever the cells contain", () => {
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
