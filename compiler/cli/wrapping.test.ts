import fc from "fast-check";
import { expect, test } from "vitest";
import { wrapLine } from "./wrapping.ts";

const WORDS = "  mode       decides    forbidden, because its condition holds: forbidden Files.write";

test("a long line with columns continues in rows that are indented to the last column", () => {
  expect(wrapLine(WORDS, 60)).toEqual([
    "  mode       decides    forbidden, because its condition",
    "                        holds: forbidden Files.write",
  ]);
});

test("a continued row has the indent of its line, and a long word is not broken", () => {
  expect(wrapLine(`  ${"x".repeat(50)} y`, 40)).toEqual([`  ${"x".repeat(50)}`, "  y"]);
  expect(wrapLine(`a ${"b ".repeat(30)}c`, 40).every((row) => row.length <= 40)).toBe(true);
});

test("a line is not wrapped if it fits, if the terminal is very narrow, or in a file", () => {
  expect(wrapLine(WORDS, 200)).toEqual([WORDS]);
  expect(wrapLine(WORDS, 20)).toEqual([WORDS]);
  expect(wrapLine(WORDS, undefined)).toEqual([WORDS]);
});

test("property: no word is lost or broken, and only a row with a long word is longer than the terminal", () => {
  fc.assert(
    fc.property(
      fc.array(fc.stringMatching(/^(?:\S{1,50} {0,4})$/), { maxLength: 40 }),
      fc.integer({ min: 40, max: 120 }),
      (parts, columns) => {
        const line = `  ${parts.join(" ")}`;
        const rows = wrapLine(line, columns);
        const words = (text: string) => text.split(/ +/).filter((word) => word !== "");
        expect(words(rows.join(" "))).toEqual(words(line));
        const longest = Math.max(...words(line).map((word) => word.length));
        for (const row of rows.slice(1))
          expect(row.length).toBeLessThanOrEqual(Math.max(columns, columns / 2 + longest + 4));
      },
    ),
  );
});
