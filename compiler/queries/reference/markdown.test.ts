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
])("escapes the text %s", (words, written) => {
  expect(renderParagraphs(words)).toEqual([written]);
});

test("paragraphs stay separate, and the lines of one paragraph are joined", () => {
  expect(renderParagraphs("one\n two\n\n\nthree\n")).toEqual(["one two", "three"]);
});

test("blanks within a line stay, and a line with a quarter of a million blanks is rendered quickly", () => {
  expect(renderParagraphs("one  two \n\t three")).toEqual(["one  two three"]);
  const blanks = " ".repeat(250_000);
  expect(renderParagraphs(`a${blanks}b`)).toEqual([`a${blanks}b`]);
  expect(renderCode(`a${blanks}b`)).toBe(`\`a${blanks}b\``);
});

test.each([
  ["a", "`a`"],
  ["a`b", "``a`b``"],
  ["`a", "`` `a ``"],
])("puts the code %s into a fence", (text, written) => {
  expect(renderCode(text)).toBe(written);
});

test("code with a bar after a backslash becomes plain text in a cell, because Markdown code cannot express it", () => {
  expect(renderCodeCell("a|b")).toBe("`a\\|b`");
  expect(renderCodeCell("a\\|b")).toBe("a\\\\\\|b");
});

test("the fence of a code block is longer than each fence inside of the block", () => {
  expect(renderFence("```\nx\n```", "cap")).toBe("````cap\n```\nx\n```\n````");
});

test("a row has as many cells as the table's head, whatever the cells contain", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (left, right) => {
      const [text = ""] = renderTable(["one", "two"], [[renderCell(left), renderCodeCell(right)]]);
      const lines = text.split("\n");
      expect(lines).toHaveLength(3);
      // A bar after an odd number of backslashes does not separate cells.
      const borders = [...(lines[2] ?? "").matchAll(/(\\*)\|/g)].filter(([, slashes = ""]) => slashes.length % 2 === 0);
      expect(borders).toHaveLength(3);
    }),
  );
});
