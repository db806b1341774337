import { expect, test } from "vitest";
import { listIn, recordIn, textIn } from "./json-parts.ts";

test("a part that is there is read as it is", () => {
  expect([recordIn({ a: 1 }), listIn([1]), textIn("a")]).toEqual([{ a: 1 }, [1], "a"]);
});

test("a part that is absent, or of another kind, is empty", () => {
  for (const value of [undefined, null, 1, true, "a", [1]]) expect(recordIn(value)).toEqual({});
  for (const value of [undefined, null, 1, true, "a", { length: 1 }]) expect(listIn(value)).toEqual([]);
  for (const value of [undefined, null, 1, true, ["a"], { a: "a" }]) expect(textIn(value)).toBe("");
});
