import { expect, test } from "vitest";
import { findKeys } from "./keys.ts";
import { getLastRow } from "./person.ts";
import { CELL_BYTES, encodeCells, readRows } from "./text-memory.ts";

const COLUMNS = 40;

test("reads rows from a graphics card's memory without trailing blanks", () => {
  const memory = Buffer.alloc(3 * COLUMNS * CELL_BYTES);
  encodeCells("you> «U+202E» → ok").copy(memory);
  encodeCells("─ é").copy(memory, COLUMNS * CELL_BYTES);
  expect(readRows(memory, COLUMNS)).toEqual(["you> «U+202E» → ok", "─ é", ""]);
  expect(getLastRow(readRows(memory, COLUMNS))).toBe("─ é");
  // The font has several characters that look empty. A space must be encoded as the index 0x20.
  expect([...encodeCells("a b")]).toEqual([0x61, 7, 0x20, 7, 0x62, 7]);
});

test("each printable ASCII character has a different combination of keys, and é has none", () => {
  const printable = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at));
  const keys = printable.map((character) => findKeys(character)?.join("+"));
  expect(keys).not.toContain(undefined);
  expect(new Set(keys).size).toBe(95);
  expect(findKeys("é")).toBeUndefined();
});
