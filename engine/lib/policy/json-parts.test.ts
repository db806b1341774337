import { expect, test } from "vitest";
import { getText, listIn, readAccompanied, recordIn } from "./json-parts.ts";

test("returns a part of the expected kind unchanged", () => {
  expect([recordIn({ a: 1 }), listIn([1]), getText("a")]).toEqual([{ a: 1 }, [1], "a"]);
});

test("returns an empty value for a part that is absent or of another kind", () => {
  for (const value of [undefined, null, 1, true, "a", [1]]) expect(recordIn(value)).toEqual({});
  for (const value of [undefined, null, 1, true, "a", { length: 1 }]) expect(listIn(value)).toEqual([]);
  for (const value of [undefined, null, 1, true, ["a"], { a: "a" }]) expect(getText(value)).toBe("");
});

test("only a list that consists of a record and a text is an answer with an accompanying text", () => {
  expect(readAccompanied([{ a: 1 }, "b"])).toEqual({ record: { a: 1 }, text: "b" });
  const others = [null, "b", { a: 1 }, [], [{ a: 1 }], [{ a: 1 }, 2], ["a", "b"], [[], "b"], [{ a: 1 }, "b", "c"]];
  for (const value of others) expect(readAccompanied(value)).toBeUndefined();
});
