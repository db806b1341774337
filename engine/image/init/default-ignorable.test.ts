// The console's filter is tested against Unicode's list of characters that a font need not draw. That list is a file;
// this test compares it with Node's own copy of Unicode, which has another origin.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const LIST = fileURLToPath(new URL("src/default-ignorable.txt", import.meta.url));
const IGNORABLE = /^\p{Default_Ignorable_Code_Point}$/u;

test("the list of default-ignorable code points is complete and has no other code points", () => {
  const listed = readFileSync(LIST, "utf8")
    .trimEnd()
    .split("\n")
    .flatMap((range) => {
      const [first = 0, last = first] = range.split("..").map((number) => Number.parseInt(number, 16));
      return Array.from({ length: last - first + 1 }, (_, index) => first + index);
    });
  const known = Array.from({ length: 0x110000 }, (_, number) => number).filter(
    (number) => (number < 0xd800 || number > 0xdfff) && IGNORABLE.test(String.fromCodePoint(number)),
  );
  expect(listed).toEqual(known);
});
