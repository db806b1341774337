import fc from "fast-check";
import { expect, test } from "vitest";
import { isDelimiter, layOutTable } from "./table.ts";
import { countColumns } from "./width.ts";

const laid = (text: string, room: number): string | undefined => layOutTable(text, room)?.join("\n");

test("columns are as wide as their widest cell, and wide characters count twice", () => {
  expect(laid("| name | n |\n|:--|--:|\n| 漢字 | 1 |\n| Alice\\|B | 200 |\n", 80)).toBe(
    "| name     |   n |\n|:---------|----:|\n| 漢字     |   1 |\n| Alice\\|B | 200 |",
  );
  expect(laid("|a|b\n|-|:-:\n|x|yyyyy", 80)).toBe("| a   |   b   |\n|-----|:-----:|\n| x   | yyyyy |");
});

test("a row with more cells than the header keeps all of them, and a row with fewer gets blanks", () => {
  expect(laid("|a|\n|-|\n|x|more|\n||", 80)).toBe("| a   |      |\n|-----|------|\n| x   | more |\n|     |      |");
});

test("cells of a table that is too wide are wrapped, and a table with too many columns is not laid out", () => {
  const text = "| k | what it says |\n|---|---|\n| a | one two three four five |\n";
  expect(laid(text, 25)).toBe(
    "| k   | what it says    |\n|-----|-----------------|\n| a   | one two three   |\n|     | four five       |",
  );
  expect(laid(text, 12)).toBeUndefined();
  const many = `${"|aaaaaaaaaaaa".repeat(9)}\n${"|-".repeat(9)}\n`;
  expect([laid(many, 80), laid(many, 400) === undefined]).toEqual([undefined, false]);
  expect(laid(`${"|a".repeat(25)}\n${"|-".repeat(25)}\n`, 400)).toBeUndefined();
});

test("rows are not a table if no delimiter row follows the first row", () => {
  for (const text of ["| a | b |\n| c | d |\n", "| a |\n", "| a |\n| --x |\n", "", "|\n|\n"])
    expect(laid(text, 80)).toBeUndefined();
  expect(["|---|", "| :-: | -- |", "|::|", "||"].map(isDelimiter)).toEqual([true, true, false, false]);
});

test("property: all rows have the same width, which is at most the available width, and only blanks and dashes change", () => {
  const pieces = fc.constantFrom("|", "|", "a", " word ", "漢字", "\\|", "e\u0301", "xxxxxxxxxxxxxxxx", "\n| ");
  const signs = (text: string) => [...text.replace(/[ \-|\n\\:]/g, "")].sort().join("");
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), fc.integer({ min: 20, max: 120 }), (body, room) => {
      const text = `| a | b | c |\n|---|:-:|--:|\n| ${body.join("")}`;
      const rows = layOutTable(text, room);
      if (rows === undefined) return;
      const [first = 0, ...others] = rows.map(countColumns);
      expect(others.every((columns) => columns === first) && first <= room).toBe(true);
      expect(signs(rows.join("\n"))).toBe(signs(text));
    }),
  );
});
