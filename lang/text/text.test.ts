import fc from "fast-check";
import { expect, test } from "vitest";
import { countWhile, createSourceText, makeSpan, placeOf } from "./index.ts";

test.each([
  ["the first character", "abc", 0, 1, 1],
  ["an offset after a line feed", "a\nb", 2, 2, 1],
  ["an offset after a carriage return and line feed", "a\r\nb", 3, 2, 1],
  ["an offset after a single carriage return, which does not end a line for git or grep", "a\rb", 2, 1, 3],
  ["an offset after a surrogate pair, which counts two columns", "😀x", 2, 1, 3],
  ["an offset beyond the end", "ab\n", 3, 2, 1],
])("finds the position of %s", (_, text, offset, line, column) => {
  expect(createSourceText("a.cap", text).position(offset)).toEqual({ line, column });
});

test("a line is returned without its line end", () => {
  const source = createSourceText("a.cap", "one\r\ntwo\rthree\n\nfive\r");
  expect([1, 2, 3, 4, 9].map((number) => source.line(number))).toEqual(["one", "two\rthree", "", "five\r", ""]);
});

test("the text of a position has file, line and column", () => {
  expect(placeOf(makeSpan(createSourceText("dir/a.cap", "x\n yz"), 3, 5))).toBe("dir/a.cap:2:2");
});

test("the line and column of every offset identify the character at this offset", () => {
  const texts = fc.array(fc.constantFrom("a", "\n", "\r", "é", "😀")).map((parts) => parts.join(""));
  fc.assert(
    fc.property(texts, (text) => {
      const source = createSourceText("a.cap", text);
      for (let offset = 0; offset < text.length; offset++) {
        if (/^\r?\n/.test(text.slice(offset))) continue;
        const { line, column } = source.position(offset);
        expect(source.line(line)[column - 1]).toBe(text[offset]);
      }
    }),
  );
});

test("binary search counts the same values as a linear search", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20)), fc.nat(20), (values, most) => {
      const inOrder = values.toSorted((left, right) => left - right);
      const counted = inOrder.filter((value) => value <= most).length;
      expect(countWhile(inOrder.length, (index) => (inOrder[index] ?? 0) <= most)).toBe(counted);
    }),
  );
});
