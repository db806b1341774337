import fc from "fast-check";
import { expect, test } from "vitest";
import { createSourceText } from "../text/index.ts";
import { isName, MAX_NAME, nameFrom, parse, RESERVED } from "./index.ts";

test.each([
  ["notes", "notes"],
  ["my-notes.d", "my_notes_d"],
  ["2nd", "system_2nd"],
  ["…", "system"],
  ["", "system"],
  ["auto", "system_auto"],
  ["x".repeat(70), "x".repeat(64)],
  [`${"x".repeat(63)} y`, "x".repeat(63)],
])("%j becomes the name %s", (text, name) => {
  expect(nameFrom(text, "system")).toBe(name);
});

test("any text becomes a valid name", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ maxLength: 200 }), fc.constantFrom(...RESERVED)), (text) => {
      expect(isName(nameFrom(text, "system"))).toBe(true);
    }),
  );
});

test("`isName` accepts exactly the names of the grammar, up to the maximum length", async () => {
  const isTaken = async (name: string) =>
    (await parse(createSourceText("a.cap", `system ${name} version "1.0.0" {}`))).diagnostics.length === 0;
  for (const name of [...RESERVED, "a", "_a", "a-b", "a--b", "-a", "1", "a b", "é", "system", "version"])
    expect([name, isName(name)]).toEqual([name, await isTaken(name)]);
  expect([isName("x".repeat(MAX_NAME)), isName("x".repeat(MAX_NAME + 1))]).toEqual([true, false]);
});
